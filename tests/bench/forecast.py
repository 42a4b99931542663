#!/usr/bin/env python3
"""What `coppice plan` forecasts beside what the run takes: CPU seconds, wall seconds, peak memory and disk.

    tests/bench/forecast.py BINARY [--jobs N] [NAME…]

Each sweep is a shipped config with fewer repeats or datasets, so that it can be afforded; NAME selects some. The
forecast is made three times: with the shortest probe, with the usual one, and from the results of the run itself,
for one repeat more than was run. One JSON line for each; `factor` is forecast over taken. CPU seconds are
trustworthy under load, wall seconds only on a quiet machine.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

PAPERS = "configs/papers/"
# config: (repeats or None for those of the config, what of it, other settings)
SWEEPS = {
    "quickstart": ("configs/quickstart.yaml", None, "", []),
    "l1-figure7-2": (PAPERS + "joly-2012-l1-figure7-2.yaml", 3, "", []),
    "l1-figure7-3": (PAPERS + "joly-2012-l1-figure7-3.yaml", 1, "", []),
    "l1-figure7-4": (PAPERS + "joly-2012-l1-figure7-4.yaml", 1, "", []),
    "l1-table7-1": (PAPERS + "joly-2012-l1-table7-1.yaml", 1, "", []),
    "bias-variance": (PAPERS + "joly-2014-bias-variance.yaml", None, "", []),
    "output-table1": (PAPERS + "joly-2014-table1.yaml", 2, "dataset=emotions,dataset=scene,dataset=yeast,dataset=enron", []),
    "output-extra-trees": (PAPERS + "joly-2014-extra-trees.yaml", 1,
                           "dataset=emotions,dataset=scene,dataset=yeast,dataset=enron,dataset=bibtex", []),
    "output-timing": (PAPERS + "joly-2014-timing.yaml", None, "", []),
    "output-figure1": (PAPERS + "joly-2014-figure1.yaml", 1, "", []),
    "boosting-figure6-1": (PAPERS + "joly-2016-chapter6-figure6-1.yaml", 1, "", []),
    "boosting-figure6-4": (PAPERS + "joly-2016-chapter6-figure6-4.yaml", 5, "", []),
    "boosting-table6-1": (PAPERS + "joly-2016-chapter6-table6-1.yaml", 1, "dataset=friedman1-chain", []),
    "figure4-2": (PAPERS + "joly-2016-figure4-2.yaml", None, "", []),
    "craftml-figure1": (PAPERS + "siblini-2018-figure1.yaml", 1, "dataset=bibtex", []),
    "craftml-figure4": (PAPERS + "siblini-2018-figure4.yaml", 1, "dataset=bibtex", []),
    "craftml-table2": (PAPERS + "siblini-2018-table2.yaml", 1, "", []),
    "random-decision-trees": (PAPERS + "zhang-2010-table3.yaml", None, "", []),
}


def options_of(repeats, only, more):
    options = [part for setting in more for part in ("--set", setting)]
    if repeats is not None:
        options += ["--set", f"protocol.repeats={repeats}"]
    if only:
        options += ["--only", only]
    return options


def plan(binary, config, options, folder, jobs, probe):
    command = [binary, "plan", config, *options, "--out", folder, "--jobs", str(jobs), "--probe", str(probe), "--json"]
    started = time.monotonic()
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    answer["took"] = time.monotonic() - started
    return answer


def run(binary, config, options, folder, jobs):
    """What a run takes, as the operating system counts it."""
    started = time.monotonic()
    process = subprocess.Popen([binary, "run", config, *options, "--out", folder, "--jobs", str(jobs), "--quiet"],
                               stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(f"{config}: the run ended with {os.waitstatus_to_exitcode(status)}")
    return {"cpu-seconds": usage.ru_utime + usage.ru_stime, "wall-seconds": time.monotonic() - started,
            "peak-memory-bytes": usage.ru_maxrss * 1024,
            "disk-bytes": sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*") if file.is_file())}



def measure(binary, name, jobs, work):
    config, repeats, only, more = SWEEPS[name]
    folder = os.path.join(work, name)
    options = options_of(repeats, only, more)
    short = plan(binary, config, options, folder, jobs, 0)
    usual = plan(binary, config, options, folder, jobs, 2)
    taken = run(binary, config, options, folder, jobs)
    # One repeat more than was run: everything that is left to do is known from what was done.
    once_more = options_of(short["repeats"] + 1, only, more)
    earlier = plan(binary, config, once_more, folder, jobs, 0)
    share = earlier["fits-to-run"] / usual["fits-to-run"]
    for how, forecast in (("shortest probe", short), ("probe", usual), ("earlier results", earlier)):
        line = {"bench": "forecast", "config": name, "by": how, "fits": forecast["fits-to-run"],
                "plan-seconds": round(forecast["took"], 1)}
        for what, value in taken.items():
            # CPU and wall time of the repeat to come are compared with its share of what the others took; memory is
            # that of any repeat, and files hold all of them.
            if how == "earlier results" and what == "disk-bytes":
                continue
            expected = value * share if how == "earlier results" and what.endswith("seconds") else value
            line[what] = {"forecast": round(forecast["forecast"][what], 2), "taken": round(expected, 2),
                          "factor": round(forecast["forecast"][what] / expected, 2)}
        print(json.dumps(line), flush=True)
    shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("names", nargs="*", metavar="NAME", help="sweeps to measure; all by default: " + ", ".join(SWEEPS))
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    binary = os.path.realpath(arguments.binary)
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    with tempfile.TemporaryDirectory(dir=os.environ.get("COPPICE_BENCH_FOLDER")) as work:
        for name in arguments.names or SWEEPS:
            measure(binary, name, arguments.jobs, work)


if __name__ == "__main__":
    main()
