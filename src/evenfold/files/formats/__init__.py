"""The formats, one file for each; `files/registry.py` lists them."""
