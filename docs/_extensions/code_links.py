"""Public names in backticks, such as `evenfold.split`, become links to the reference.

GitHub shows the same text as plain code.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

NAME = re.compile(r"evenfold(?:\.[A-Za-z]\w*)+")


class CodeLinks(SphinxPostTransform):
    """Put a reference around the code of each name that begins with `evenfold.`."""

    default_priority = 5  # before references are resolved

    def run(self, **_):
        """Replace the nodes of one page."""
        for code in list(self.document.findall(nodes.literal)):
            if NAME.fullmatch(code.astext()) and not isinstance(
                code.parent, nodes.reference | addnodes.pending_xref
            ):
                link = addnodes.pending_xref(
                    refdomain="py",
                    reftype="obj",
                    reftarget=code.astext(),
                    refexplicit=False,
                    refdoc=self.env.current_document.docname,
                    refwarn=True,
                )
                code.replace_self(link)
                link += code


def setup(app):
    """Add the transform."""
    app.add_post_transform(CodeLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
