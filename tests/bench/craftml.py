#!/usr/bin/python3
"""Times, precision, size and memory of craftml on real data, by CPU seconds.

usage: COPPICE_DATA=folder tests/bench/craftml.py build/release/coppice [dataset…]
       tests/bench/craftml.py build/release/coppice --growth

The first form trains and evaluates 50 trees on each dataset (bibtex and delicious by default; datasets without a split of
their own are trained on all rows) and prints one JSON line for each. What reading the data costs is measured with `constant`
and subtracted. The two-thread factor compares wall times and needs a quiet machine.
The second form shows how training grows with rows, labels, trees and projection dimensions on generated data.
"""
import json
import os
import subprocess
import sys
import tempfile

METRICS = ["precision@1", "precision@3", "precision@5"]


def run(*words, threads=1):
    """The output, CPU seconds and peak memory (MB) of a command on so many processors."""
    cpus = ",".join(str(i) for i in sorted(os.sched_getaffinity(0))[:threads])
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(["taskset", "-c", cpus, *map(str, words)], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{words} failed")
        out.seek(0)
        return out.read().decode(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(*words, threads=1):
    """The cheapest of three runs: the machine has other work."""
    return min((run(*words, threads=threads) for _ in range(3)), key=lambda result: result[1])


def seconds(output):
    """The wall seconds that `train` reports for the fit alone."""
    return float(output.split(" in ")[1].split(" s:")[0])


def measure(program, dataset, folder):
    model, nothing = folder + "/model", folder + "/constant"
    _, reading, _ = best(program, "train", "constant", dataset, "--out", nothing)
    _, training, memory = best(program, "train", "craftml", dataset, "--out", model)
    words = [word for metric in METRICS for word in ("--metric", metric)]
    _, scoring, _ = best(program, "evaluate", nothing, dataset, *words)
    output, predicting, _ = best(program, "evaluate", model, dataset, *words, "--json")
    one = min(seconds(run(program, "train", "craftml", dataset, "--out", model)[0]) for _ in range(3))
    two = min(seconds(run(program, "train", "craftml", dataset, "--out", model, threads=2)[0]) for _ in range(3))
    values = json.loads(output)["metrics"]
    return {"dataset": dataset, "train-cpu": round(training - reading, 2),
            "predict-cpu": round(predicting - scoring, 2), "peak-MB": round(memory),
            "model-MB": round(os.path.getsize(model) / 1e6, 2), "two-threads": round(one / two, 2),
            **{metric: round(100 * values[metric], 2) for metric in METRICS}}


def growth(program, folder):
    base = {"train": 20000, "features": 20000, "labels": 20000}
    changes = [{}, {"train": 40000}, {"train": 80000}, {"labels": 40000}, {"labels": 80000},
               {"trees": 10}, {"trees": 20}, {"feature_dimension": 1000}, {"label_dimension": 1000}]
    for change in changes:
        data = {**base, **{key: value for key, value in change.items() if key in base}}
        settings = {"trees": 5, **{key: value for key, value in change.items() if key not in base}}
        options = "".join(f", {key}: {value}" for key, value in data.items())
        config = folder + "/growth.yaml"
        with open(config, "w") as file:
            file.write(f"name: growth\nseed: 1\ndatasets: [extreme: {{seed: 1, test: 100{options}}}]\n"
                       f"algorithms: [craftml: {{{', '.join(f'{k}: {v}' for k, v in settings.items())}}}]\n"
                       "metrics: [precision@1, fit-cpu-seconds, model-bytes, depth]\n")
        _, _, memory = run(program, "run", config, "--out", folder + "/growth", "--fresh", "--jobs", 1, "--quiet")
        with open(folder + "/growth/summary.csv") as file:
            rows = [line.rstrip("\n").split(",") for line in file][1:]
        print(json.dumps({**data, **settings, "peak-MB": round(memory), **{row[2]: float(row[3]) for row in rows}}), flush=True)


def main():
    program, *rest = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if rest == ["--growth"]:
            growth(program, folder)
            return
        for dataset in rest or ["bibtex", "delicious"]:
            print(json.dumps(measure(program, dataset, folder)), flush=True)


if __name__ == "__main__":
    main()
