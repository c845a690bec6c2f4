"""The long proofs that splits can be trusted: properties, fuzzed files, faults and mutants."""
