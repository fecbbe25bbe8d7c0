"""Values: spaces, storages, columns, elementary functions, conversions."""
