"""Tests of what the formats of image data share."""
