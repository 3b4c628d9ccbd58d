"""Spark reads and writes riverlog."""
