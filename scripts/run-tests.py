#!/usr/bin/env python3
"""Builds the tests of the workspace and runs their executables side by side, the slowest first.

    run-tests.py [--jobs N] [--profile NAME] [--without PART] [CARGO ARGUMENTS] [-- ARGUMENTS OF THE EXECUTABLES]

Each executable's output is printed whole when it ends, under cargo's own headings; the documentation's tests are one job
more. What failed is printed again at the end, and the exit code is 1. An executable that did not run, or whose output could
not be printed, failed. How long each took, in seconds of the clock and of the processor, is printed as a table and kept in
build/test-times.json for the order of the next run.

Random tests take their seed from the commit, so that a run of a commit can be repeated and each commit tries other seeds;
`HPP_SEED=` names another.
"""

import argparse
import json
import os
import re
import signal
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
        self.process = None
        self.begin = 0.0
        self.wall = 0.0
        self.processor = 0.0
        # The exit status, or why there is none.
        self.status = "did not run"

    def start(self):
        """Starts it, as the first of a group of processes that can be stopped together."""
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def finish(self):
        """Waits for its end; what it printed."""
        with self.process.stdout as pipe:
            output = pipe.read().decode(errors="replace")
        # With the usage of its own children, which it has waited for.
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - self.begin
        self.processor = usage.ru_utime + usage.ru_stime
        self.status = self.process.returncode
        return output

    def stop(self):
        """Ends it, and what it started, if it runs."""
        if self.process and self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)


def ended(status):
    """How a process ended, in words."""
    return f"status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"


class Stopped(Exception):
    """A signal asks for the end."""


def stop(number, _frame):
    raise Stopped(signal.Signals(number).name)


def output_of(command):
    """What a command prints, or an end of this script."""
    try:
        process = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    except OSError as error:
        sys.exit(f"run-tests: cannot run {command[0]}: {error.strerror}; remedy: install Rust, or name cargo's path in CARGO")
    if process.returncode != 0:
        sys.exit(f"run-tests: `{' '.join(command)}` ended with status {process.returncode}; it says why above")
    return process.stdout


def set_seed():
    """The seed of all random tests, in the environment: the one that is there, else the commit's; without git, each test takes its own."""
    seed = os.environ.get("HPP_SEED")
    if seed is None:
        try:
            commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return
        seed = str(int(commit[:12], 16) % 10**9)
    os.environ["HPP_SEED"] = seed
    os.environ.setdefault("PROPTEST_RNG_SEED", seed)


def name_of(folder, source):
    """What an executable is called here: its package's folder and its source."""
    return f"{folder.relative_to(ROOT)}/{source}"


def selections(arguments, without):
    """The arguments of the builds. With `--tests` cargo builds all tests of the packages; what is left out is not built either.

    The packages' own tests are a build by themselves: `--lib` builds also those that a manifest says there are none of. Otherwise both are of all packages,
    whose features make what they share the same.
    """
    names = {arguments[at + 1] for at, word in enumerate(arguments) if word == "-p"}
    if not without or not names or "--tests" not in arguments:
        return [arguments]
    metadata = json.loads(output_of([CARGO, "metadata", "--no-deps", "--format-version=1"]))
    packages = [package for package in metadata["packages"] if package["name"] in names]
    own, tests = ["--lib"], []
    for package in packages:
        folder = Path(package["manifest_path"]).parent
        libraries = [target for target in package["targets"] if "test" not in target["kind"] and target["src_path"].endswith("lib.rs")]
        if all(library["test"] for library in libraries):
            own.append(f"-p={package['name']}")
        tests.append(f"-p={package['name']}")
        for target in package["targets"]:
            name = name_of(folder, os.path.relpath(target["src_path"], folder))
            if target["kind"] == ["test"] and not any(part in name for part in without):
                tests.append(f"--test={target['name']}")
    return [own, tests]


def build(profile, arguments):
    """The test executables, as cargo names them."""
    lines = output_of([CARGO, "test", "--profile", profile, "--no-run", "--message-format=json-render-diagnostics", *arguments])
    messages = (json.loads(line) for line in lines.splitlines() if line.startswith(b"{"))
    return [m for m in messages if m["reason"] == "compiler-artifact" and m["executable"] and m["profile"]["test"]]


def library_path(profile):
    """Where executables of procedural macros find the compiler's libraries."""
    libraries = output_of([os.environ.get("RUSTC", "rustc"), "--print", "target-libdir"])
    folders = [str(ROOT / "target" / profile / "deps"), libraries.decode().strip()]
    if "LD_LIBRARY_PATH" in os.environ:
        folders.append(os.environ["LD_LIBRARY_PATH"])
    return os.pathsep.join(folders)


def executables(profile, artifacts, arguments):
    """A job for each executable with these arguments, run where and as cargo would."""
    libraries = library_path(profile)
    for artifact in artifacts:
        folder = Path(artifact["manifest_path"]).parent
        source = os.path.relpath(artifact["target"]["src_path"], folder)
        path = os.path.relpath(artifact["executable"], ROOT)
        unit = "unittests " if source.startswith("src" + os.sep) else ""
        environment = dict(os.environ, CARGO=CARGO, CARGO_MANIFEST_DIR=str(folder), LD_LIBRARY_PATH=libraries)
        yield Job(name_of(folder, source), f"     Running {unit}{source} ({path})", [artifact["executable"], *arguments], folder, environment)


def documentation(profile, arguments, of_tests):
    """The job of the documentation's tests."""
    command = [CARGO, "test", "--profile", profile, "--no-fail-fast", "--doc", *arguments, "--", *of_tests]
    return Job("documentation", "     Running tests of the documentation", command, ROOT, dict(os.environ))


def kept_times():
    try:
        return dict(json.loads(TIMES.read_text()))
    except (OSError, ValueError, TypeError):
        return {}


def keep_times(jobs):
    """Keeps the times; a disk that is full takes nothing from what was found."""
    times = kept_times() | {job.name: round(job.wall, 3) for job in jobs if job.status == 0}
    # Another run may write its own at the same time.
    draft = TIMES.with_suffix(f".{os.getpid()}")
    try:
        TIMES.parent.mkdir(exist_ok=True)
        draft.write_text(json.dumps(times, indent=0, sort_keys=True))
        draft.replace(TIMES)
    except OSError as error:
        print(f"run-tests: the times are not kept: {error}", file=sys.stderr)


def run_all(jobs, workers):
    """Runs the jobs; what those that failed printed, or why they printed nothing."""
    waiting = list(reversed(jobs))
    lock = threading.Lock()
    failed = []

    def begin():
        """The next job, started. All starts are here, so none comes after the stop of all."""
        with lock:
            while waiting:
                job = waiting.pop()
                try:
                    job.start()
                    return job
                except OSError as error:
                    job.status = f"did not start: {error}"
                    failed.append((job, ""))
        return None

    def end(job):
        output = job.finish()
        with lock:
            try:
                print(job.heading, output, sep="\n", flush=True)
            except (OSError, ValueError) as error:
                job.status = f"its output could not be printed: {error} (its own status: {job.status})"
            if job.status != 0:
                failed.append((job, output))

    def work():
        while job := begin():
            end(job)

    threads = [threading.Thread(target=work) for _ in range(workers)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except Stopped as reason:
        print(f"run-tests: stopped by {reason}", file=sys.stderr)
        with lock:
            waiting.clear()
            for job in jobs:
                job.stop()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    known = [job for job, _ in failed]
    return failed + [(job, "") for job in jobs if job.status != 0 and job not in known]


def report(jobs, failed, wall):
    """The slowest, the sums, and what failed."""
    print("slowest, in seconds of the clock and of the processor:")
    for job in sorted(jobs, key=lambda job: -job.processor)[:SHOWN]:
        print(f"  {job.wall:7.1f} {job.processor:7.1f}  {job.name}")
    processor = sum(job.processor for job in jobs)
    print(f"  {wall:7.1f} {processor:7.1f}  all {len(jobs)} executables, HPP_SEED={os.environ.get('HPP_SEED', 'each its own')}")
    for job, output in failed:
        begin = output.find("\nfailures:\n")
        status = job.status if isinstance(job.status, str) else ended(job.status)
        print(f"\nFAILED: {job.name}, {status}", output[max(begin, 0) :].rstrip(), sep="\n")
    if failed:
        names = ", ".join(job.name for job, _ in failed)
        print(f"\nerror: {len(failed)} of {len(jobs)} executables failed: {names}")
    sys.stdout.flush()


def command_line():
    """This script's own options, the arguments of cargo, and those of the executables, which follow `--`."""
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0], allow_abbrev=False)
    parser.add_argument("--without", metavar="PART", action="append", default=[], help="leave out executables with this in their name")
    parser.add_argument("--profile", default="release", help="of cargo [default: release]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="executables at once [default: processors]")
    return *parser.parse_known_args(words[:cut]), words[cut + 1 :]


def main():
    # What a terminal's encoding does not have is shown by its number.
    sys.stdout.reconfigure(errors="backslashreplace")
    options, arguments, of_tests = command_line()
    set_seed()
    artifacts = [artifact for selection in selections(arguments, options.without) for artifact in build(options.profile, selection)]
    jobs = [job for job in executables(options.profile, artifacts, of_tests) if not any(part in job.name for part in options.without)]
    # Targets of one kind leave the documentation out, as with cargo.
    chosen = re.compile(r"--(test|lib|bin|example|bench|tests|bins|examples|benches|all-targets)(=|$)")
    if not any(chosen.match(argument) for argument in arguments):
        jobs.append(documentation(options.profile, arguments, of_tests))
    times = kept_times()
    # What was never run may take long.
    jobs.sort(key=lambda job: -times.get(job.name, 1e9))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # What `nohup` has ignored stays so.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    begin = time.monotonic()
    failed = run_all(jobs, max(options.jobs, 1))
    keep_times(jobs)
    try:
        report(jobs, failed, time.monotonic() - begin)
    except OSError as error:
        # Nor can the interpreter write what is left when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(f"run-tests: cannot print what was found: {error}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
