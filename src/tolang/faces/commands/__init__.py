"""The commands of `tol`, one a module; each imports the parts of the package it needs when it is called."""
