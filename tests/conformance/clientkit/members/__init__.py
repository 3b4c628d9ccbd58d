"""Group members of the Python clients, each kind in a process of its own that can be killed."""
