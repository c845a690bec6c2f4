"""Published tables and figures, reproduced; one module per paper."""
