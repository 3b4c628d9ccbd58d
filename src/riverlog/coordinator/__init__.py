"""Coordinators: state machines whose state is an internal topic. ``host`` drives them."""
