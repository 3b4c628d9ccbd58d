"""The cluster's metadata: the controller decides, records replay, the image is read-only."""
