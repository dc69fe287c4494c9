"""One file for each list format."""
