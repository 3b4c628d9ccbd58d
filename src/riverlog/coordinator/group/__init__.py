"""Groups and their committed offsets."""
