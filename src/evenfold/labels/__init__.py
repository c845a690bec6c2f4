"""Labels: which row holds which label, read from every form that users have them in."""

from .hierarchies import propagate
from .labels import Labels, from_classes, from_text, make_labels

__all__ = ["Labels", "from_classes", "from_text", "make_labels", "propagate"]
