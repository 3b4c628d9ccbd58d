"""What the end-to-end tests share: raw connections, loads with a ledger, waiting."""
