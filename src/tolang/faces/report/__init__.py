"""Reports of costs: what is on them, how they are built, and the page and the charts that show them."""
