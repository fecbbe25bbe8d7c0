"""From the core to plans."""
