#!/usr/bin/env python3
"""Asks a Parquet file of profiles, as `hpp collect` writes it, a question in SQL; it is the table `profiles`.

    query.py FILE.parquet 'SELECT function, sum(count) FROM profiles GROUP BY function'

DataFusion runs in this process. The same question goes to a cluster that reads Parquet, over any number of files.
"""

import argparse
import sys

try:
    import datafusion
except ImportError:
    sys.exit("query: no DataFusion; remedy: scripts/setup-tools.sh --fleet, then .venv/bin/python scripts/query.py")


def main():
    """Reads the command line; 0 if the question has an answer."""
    parser = argparse.ArgumentParser(description="Ask a Parquet file of profiles a question in SQL.")
    parser.add_argument("file", help="what `hpp collect` wrote, or a folder of such files")
    parser.add_argument("question", help="SQL; the table is called `profiles`")
    parser.add_argument("--rows", type=int, default=1000, help="most rows to show")
    arguments = parser.parse_args()
    context = datafusion.SessionContext()
    try:
        context.register_parquet("profiles", arguments.file)
        context.sql(arguments.question).show(arguments.rows)
    except Exception as error:  # DataFusion raises plain exceptions.
        print(f"query: {arguments.file}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
