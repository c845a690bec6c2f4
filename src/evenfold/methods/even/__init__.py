"""even: the default method.

`method` has its settings, `plan` the phases of a split, `tuning` every tuned number, `sweeps` the
sweeps that phases are made of, `refinement` a split that is improved, `costs` its weights and
targets in whole numbers, `best` the best split so far.
"""
