"""``python -m riverlog`` is the ``riverlog`` command."""

from riverlog.cli.main import main

if __name__ == "__main__":
    main()
