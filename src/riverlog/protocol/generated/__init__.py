"""One module per message. Written by `python -m codegen`; do not edit."""
