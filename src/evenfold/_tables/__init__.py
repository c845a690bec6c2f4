"""Small tables, number formats and frames, for every package that shows numbers."""
