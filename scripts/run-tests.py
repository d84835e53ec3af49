#!/usr/bin/env python3
"""Builds the tests of the workspace and runs their executables side by side, the slowest first.

    run-tests.py [--jobs N] [CARGO ARGUMENTS]

Each executable's output is printed whole when it ends, under cargo's own headings; the documentation's tests are one job
more. What failed is printed again at the end, and the exit code is 1. How long each took, in seconds of the clock and of the
processor, is printed as a table and kept in build/test-times.json for the order of the next run.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMES = ROOT / "build" / "test-times.json"
CARGO = os.environ.get("CARGO", "cargo")
# Rows of the table: what takes less does not matter.
SHOWN = 12


class Job:
    """One executable, or the documentation's tests."""

    def __init__(self, name, heading, command, folder, environment):
        self.name = name
        self.heading = heading
        self.command = command
        self.folder = folder
        self.environment = environment
        self.wall = 0.0
        self.processor = 0.0
        self.status = None

    def run(self):
        """Runs it; what it printed."""
        begin = time.monotonic()
        process = subprocess.Popen(
            self.command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        with process.stdout as pipe:
            output = pipe.read().decode(errors="replace")
        # With the usage of its own children, which it has waited for.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - begin
        self.processor = usage.ru_utime + usage.ru_stime
        self.status = process.returncode
        return output


def build(arguments):
    """The test executables, as cargo names them; None if they do not build."""
    command = [CARGO, "test", "--release", "--no-run", "--message-format=json-render-diagnostics", *arguments]
    process = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if process.returncode != 0:
        return None
    messages = (json.loads(line) for line in process.stdout.splitlines() if line.startswith(b"{"))
    return [m for m in messages if m["reason"] == "compiler-artifact" and m["executable"] and m["profile"]["test"]]


def library_path():
    """Where executables of procedural macros find the compiler's libraries."""
    libraries = subprocess.run(["rustc", "--print", "target-libdir"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    folders = [str(ROOT / "target/release/deps"), libraries.stdout.strip()]
    if "LD_LIBRARY_PATH" in os.environ:
        folders.append(os.environ["LD_LIBRARY_PATH"])
    return os.pathsep.join(folders)


def executables(artifacts):
    """A job for each executable, run where and as cargo would."""
    libraries = library_path()
    for artifact in artifacts:
        folder = Path(artifact["manifest_path"]).parent
        source = os.path.relpath(artifact["target"]["src_path"], folder)
        path = os.path.relpath(artifact["executable"], ROOT)
        unit = "unittests " if source.startswith("src" + os.sep) else ""
        environment = dict(os.environ, CARGO=CARGO, CARGO_MANIFEST_DIR=str(folder), LD_LIBRARY_PATH=libraries)
        name = f"{folder.relative_to(ROOT)}/{source}"
        yield Job(name, f"     Running {unit}{source} ({path})", [artifact["executable"]], folder, environment)


def documentation(arguments):
    """The job of the documentation's tests."""
    command = [CARGO, "test", "--release", "--no-fail-fast", "--doc", *arguments]
    return Job("documentation", "     Running tests of the documentation", command, ROOT, dict(os.environ))


def kept_times():
    try:
        return json.loads(TIMES.read_text())
    except (OSError, ValueError):
        return {}


def keep_times(jobs):
    times = kept_times() | {job.name: round(job.wall, 3) for job in jobs if job.status == 0}
    TIMES.parent.mkdir(exist_ok=True)
    draft = TIMES.with_suffix(".draft")
    draft.write_text(json.dumps(times, indent=0, sort_keys=True))
    draft.replace(TIMES)


def run_all(jobs, workers):
    """Runs the jobs; the outputs of those that failed."""
    waiting = list(reversed(jobs))
    lock = threading.Lock()
    failed = []

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                job = waiting.pop()
            output = job.run()
            with lock:
                print(job.heading, output, sep="\n", flush=True)
                if job.status != 0:
                    failed.append((job, output))

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


def report(jobs, failed, wall):
    """The slowest, the sums, and what failed."""
    print("slowest, in seconds of the clock and of the processor:")
    for job in sorted(jobs, key=lambda job: -job.processor)[:SHOWN]:
        print(f"  {job.wall:7.1f} {job.processor:7.1f}  {job.name}")
    processor = sum(job.processor for job in jobs)
    print(f"  {wall:7.1f} {processor:7.1f}  all {len(jobs)} executables")
    for job, output in failed:
        begin = output.find("\nfailures:\n")
        print(f"\nFAILED: {job.name}, status {job.status}", output[max(begin, 0) :].rstrip(), sep="\n")
    if failed:
        names = ", ".join(job.name for job, _ in failed)
        print(f"\nerror: {len(failed)} of {len(jobs)} executables failed: {names}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="executables at once [default: processors]")
    options, arguments = parser.parse_known_args()
    artifacts = build(arguments)
    if artifacts is None:
        sys.exit(1)
    jobs = list(executables(artifacts))
    # Targets of one kind leave the documentation out, as with cargo.
    chosen = re.compile(r"--(test|lib|bin|bins|tests|example|bench)(=|$)")
    if not any(chosen.match(argument) for argument in arguments):
        jobs.append(documentation(arguments))
    times = kept_times()
    # What was never run may take long.
    jobs.sort(key=lambda job: -times.get(job.name, 1e9))
    begin = time.monotonic()
    failed = run_all(jobs, max(options.jobs, 1))
    keep_times(jobs)
    report(jobs, failed, time.monotonic() - begin)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
