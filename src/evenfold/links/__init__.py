"""Which rows belong together: shared group values, copies, and rows that are alike."""
