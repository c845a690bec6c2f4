"""What evenfold promises, as properties of seeded random cases: `python -m reliability.properties`.

Each sentence in the Notes of a public docstring is the property of some module here, or is in
`named`: with the test that shows it, or the reason why it promises nothing.
"""
