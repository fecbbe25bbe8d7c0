"""Plans: loop nests as data, with their printer, verifier and everything that reads them."""
