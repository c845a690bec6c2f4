"""Labels: which row holds which label, read from every form a user may hand over."""

from .labels import Labels, from_classes, make_labels, propagate

__all__ = ["Labels", "from_classes", "make_labels", "propagate"]
