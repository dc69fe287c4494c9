"""What editions of Warhammer 40,000 share, stated once."""
