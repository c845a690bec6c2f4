"""Formulas as MathML, which browsers show without a script or a font."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def visit_inline(translator, node):
    """Write a formula in a line."""
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def visit_block(translator, node):
    """Write a formula in lines of its own."""
    formula = tex2mathml(node.astext().strip(), as_block=True)
    translator.body.append(f'<div class="math">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Add the renderer, which conf.py chooses."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
