#!/usr/bin/python3
"""Gradient boosting of coppice beside scikit-learn's HistGradientBoosting and XGBoost: CPU seconds, LRAP and ratios, as Markdown tables.

usage: boosting.py --coppice build/release/coppice --bench build/release/tests/trees_bench [--data FOLDER] [--only yeast,scene,bibtex] [--no-peers]

100 steps, 8 leaves, all features, one thread, given splits; the peers fit a model (scikit-learn) or a tree a round (XGBoost) for each label. Where
peers would take too long they fit some labels, or some rounds, and their time is multiplied; their LRAP is then left out. Then gbrt-rpo on
delicious: milliseconds a step, with one thread and with two.
"""
import argparse, csv, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# dataset: (peer, outputs it fits or 0 for all, iterations it fits)
PEERS = {"yeast": [("hist", 0, 100), ("xgboost", 0, 100)], "scene": [("hist", 0, 100), ("xgboost", 0, 100)],
         "bibtex": [("hist", 8, 100), ("xgboost", 0, 10)], "emotions": [("hist", 0, 100), ("xgboost", 0, 100)]}
OUTPUTS = {"yeast": 14, "scene": 6, "bibtex": 159, "emotions": 6}


def output(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def ours(coppice, name, algorithms, environment, jobs=1):
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "config.yaml")
        with open(config, "w") as out:
            out.write(f"name: bench\nseed: 1\ndatasets: [{name}]\nprotocol: {{test: given}}\nalgorithms:\n")
            for line in algorithms:
                out.write(f"  - {line}\n")
            out.write("metrics: [lrap, fit-seconds, fit-cpu-seconds]\n")
        results = os.path.join(folder, "results")
        output([coppice, "run", config, "--out", results, "--jobs", str(jobs), "--quiet"], environment)
        found = {}
        for row in csv.DictReader(open(os.path.join(results, "results.csv"))):
            found.setdefault(row["algorithm"], {})[row["metric"]] = float(row["value"])
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--coppice", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--data", default=os.environ.get("COPPICE_DATA", ""))
    parser.add_argument("--only", default="yeast,scene,bibtex,delicious")
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    environment = dict(os.environ, COPPICE_DATA=options.data, OMP_NUM_THREADS="1")
    wanted = options.only.split(",")
    print("| data | algorithm | loss | rate | CPU s | LRAP |\n" + "| --- " * 6 + "|")
    for name in [name for name in wanted if name != "delicious"]:
        lines = [f"{algorithm}: {{id: {algorithm}/{loss}/{rate}, iterations: 100, max_leaves: 8, loss: {loss}, learning_rate: {rate}}}"
                 for algorithm in ("gbmort", "gbrt") for loss in ("square", "logistic") for rate in (0.1, 0.3)
                 if not (name == "bibtex" and algorithm == "gbrt")]
        for id, found in ours(options.coppice, name, lines, environment).items():
            print(f"| {name} | {' | '.join(id.split('/'))} | {found['fit-cpu-seconds']:.2f} | {found['lrap']:.4f} |", flush=True)
        if options.no_peers:
            continue
        with tempfile.TemporaryDirectory() as folder:
            shape = output([options.bench, "export", name, folder], environment).strip().splitlines()[-1]
            for peer, outputs, iterations in PEERS[name]:
                for loss in ("square", "logistic"):
                    command = ["/usr/bin/python3", os.path.join(HERE, "boosting_peer.py"), folder, shape, peer, str(iterations), "8", "0.1", loss]
                    found = json.loads(output(command + ([str(outputs)] if outputs else []), environment).strip().splitlines()[-1])
                    factor = 100 / iterations * (OUTPUTS[name] / outputs if outputs else 1)
                    score = f"{found['score']:.4f}" if factor == 1 else ""
                    print(f"| {name} | {peer} | {loss} | 0.1 | {factor * found['fit_cpu']:.2f} | {score} |", flush=True)
    if "delicious" not in wanted:
        return
    print("\n| delicious | steps | CPU ms a step | ms a step, 2 threads | LRAP |\n" + "| --- " * 5 + "|")
    for id, setting, steps in (("gbrt-rpo gaussian stump", "gbrt-rpo: {max_leaves: 2, projection: gaussian", 50),
                               ("gbrt-rpo gaussian", "gbrt-rpo: {max_leaves: 8, projection: gaussian", 50),
                               ("gbrt-rpo subsample", "gbrt-rpo: {max_leaves: 8, projection: subsample", 50),
                               ("gbrt-relabel-rpo gaussian 20", "gbrt-rpo: {max_leaves: 8, projection: gaussian, size: 20, relabel: true", 20),
                               ("gbmort", "gbmort: {max_leaves: 8", 10)):
        times = {}
        for jobs in (1, 2):
            base, long = (ours(options.coppice, "delicious", [f"{setting}, id: x, loss: logistic, iterations: {count}}}"], environment, jobs)["x"]
                          for count in (1, steps + 1))
            seconds = "fit-cpu-seconds" if jobs == 1 else "fit-seconds"
            times[jobs] = 1000 * (long[seconds] - base[seconds]) / steps
        print(f"| {id} | {steps} | {times[1]:.1f} | {times[2]:.1f} | {long['lrap']:.4f} |", flush=True)


main()
