"""The tables and figures of the papers made again, one module per paper."""
