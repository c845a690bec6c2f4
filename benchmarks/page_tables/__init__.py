"""The tables of the pages as Markdown, made from records."""
