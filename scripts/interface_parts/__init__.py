"""The parts of scripts/interface: the reader of include/*.h, and the writers of the generated files."""
