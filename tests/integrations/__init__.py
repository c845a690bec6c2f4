"""evenfold with the libraries that hold the data of its users."""
