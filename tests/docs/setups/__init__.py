"""What pages need before their blocks run: a module for a page, with the function `prepare`.

`how_to__medical_images.py` is for docs/how-to/medical-images.md. `prepare(folder, command)` writes
the data that the page takes as given. A function `check(folder)`, if there is one, looks at what
the page has written.
"""
