"""Spark looks for a data source by name in top-level modules called ``pyspark_*``: this is ours.

With the package installed, ``format("riverlog")`` works without registering anything.
"""

from riverlog.pipeline.source import RiverlogDataSource as DefaultSource

__all__ = ["DefaultSource"]
