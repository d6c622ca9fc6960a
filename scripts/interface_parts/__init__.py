"""The parts of scripts/interface: reading include/*.h, and the writers of what follows from it."""
