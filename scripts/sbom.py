#!/usr/bin/env python3
"""sbom.py CRATE...: the crates of other people that these are made of on Linux, as a CycloneDX bill of materials in JSON.

What only builds or tests something is left out: it is in no file that is handed out.
"""

import json
import os
import subprocess
import sys

LINUX = [word for arch in ("x86_64", "aarch64") for word in ("--filter-platform", f"{arch}-unknown-linux-gnu")]


def main():
    """Prints the bill."""
    cargo = os.environ.get("CARGO", "cargo")
    metadata = json.loads(subprocess.run([cargo, "metadata", "--locked", "--format-version", "1", *LINUX], check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    linked = {
        node["id"]: [dep["pkg"] for dep in node["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }
    roots = [id for id in metadata["workspace_members"] if packages[id]["name"] in sys.argv[1:]]
    reached, waiting = set(), list(roots)
    while waiting:
        id = waiting.pop()
        # A procedural macro runs in the compiler.
        if id not in reached and not any("proc-macro" in target["kind"] for target in packages[id]["targets"]):
            reached.add(id)
            waiting += linked[id]
    ours = set(metadata["workspace_members"])
    components = sorted((component(packages[id]) for id in reached - ours), key=lambda found: found["bom-ref"])
    version = packages[roots[0]]["version"]
    print(json.dumps({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "hpp-profiler", "version": version}},
        "components": components,
    }, indent=1))


def component(package):
    """A crate as the bill lists it."""
    url = f"pkg:cargo/{package['name']}@{package['version']}"
    licence = (package["license"] or "").replace("/", " OR ")
    return {
        "type": "library",
        "bom-ref": url,
        "purl": url,
        "name": package["name"],
        "version": package["version"],
        **({"licenses": [{"expression": licence}]} if licence else {}),
    }


if __name__ == "__main__":
    sys.exit(main())
