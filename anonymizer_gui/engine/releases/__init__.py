"""Export, verification, certificate, report and ledger: what every room shares."""
