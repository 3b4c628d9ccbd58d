"""The fake world: clock, disk and network from a seed, and the checks that run on them."""
