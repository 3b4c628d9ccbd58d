"""One file per API; each registers its function with ``broker.registry``."""
