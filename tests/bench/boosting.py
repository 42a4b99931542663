#!/usr/bin/python3
"""Gradient boosting of coppice beside scikit-learn's HistGradientBoosting and XGBoost: CPU seconds, LRAP and ratios, as Markdown tables.

usage: boosting.py --coppice build/release/coppice --bench build/release/tests/trees_bench [--data FOLDER] [--only yeast,scene,bibtex,delicious] [--no-peers]

100 steps, 8 leaves, all features, one thread, given splits; the peers fit a model (scikit-learn) or a tree a round (XGBoost) for each label. Trees that
all labels share need more rounds, and leaves of several rows as the peers have by default: `chosen` is gbrt-relabel-rpo with the setting of CHOSEN, which
was found by cross-validation of the training parts alone (docs/benchmarks.md), the mean of five seeds. Where peers would take too long they fit some labels, or some rounds,
and their time is multiplied; their LRAP is then left out. `slower` is how many times longer a peer takes than our gbmort with the same loss, rate and
number of rounds, and than the chosen one with the same loss. Then boosting on delicious: milliseconds a step, with one thread and with two.
"""
import tempfile

from runs import experiment, last_line, parse_options, peer

# dataset: peers with the outputs they fit (0: all) and their iterations
PEERS = {"yeast": [("hist", 0, 100), ("xgboost", 0, 100)], "scene": [("hist", 0, 100), ("xgboost", 0, 100)],
         "bibtex": [("hist", 4, 25), ("xgboost", 0, 100)], "emotions": [("hist", 0, 100), ("xgboost", 0, 100)]}
OUTPUTS = {"yeast": 14, "scene": 6, "bibtex": 159, "emotions": 6}
RELABELLED = "gbrt-relabel-rpo"
CHOSEN = {"yeast": ("max_leaves: 32, min_samples_leaf: 20", 150), "scene": ("max_leaves: 8, min_samples_leaf: 20", 200),
          "emotions": ("max_leaves: 8, min_samples_leaf: 10", 200), "bibtex": ("max_leaves: 48, min_samples_leaf: 5, size: 4", 250)}


def setting(algorithm, name):
    """What an algorithm of the table is in a config."""
    if algorithm in ("gbmort", "gbrt"):
        return f"{algorithm}: {{max_leaves: 8"
    return f"gbrt-rpo: {{projection: gaussian, relabel: true, {CHOSEN[name][0] if algorithm == 'chosen' else 'max_leaves: 8'}"


METRICS = ["lrap", "fit-seconds", "fit-cpu-seconds"]


def beside_peers(name, options, environment):
    wanted = [(algorithm, loss, rate, 100) for algorithm in ("gbmort", "gbrt") for loss in ("square", "logistic") for rate in (0.1, 0.3)
              if not (name == "bibtex" and algorithm == "gbrt")]
    wanted += [("gbmort", "logistic", 0.05, 200), (RELABELLED, "logistic", 0.1, 200)]
    chosen = [("chosen", loss, 0.1, CHOSEN[name][1]) for loss in ("square", "logistic")]
    here = {}
    for some, repeats in ((wanted, 1), (chosen, 5)):
        lines = [f"{setting(algorithm, name)}, id: {algorithm}/{loss}/{rate}/{rounds}, iterations: {rounds}, loss: {loss}, learning_rate: {rate}}}"
                 for algorithm, loss, rate, rounds in some]
        here.update(experiment(options.coppice, name, lines, METRICS, environment, repeats=repeats))
    for id, found in here.items():
        print(f"| {name} | {' | '.join(id.split('/'))} | {found['fit-cpu-seconds']:.2f} | | | {found['lrap']:.4f} |", flush=True)
    if options.no_peers:
        return
    with tempfile.TemporaryDirectory() as folder:
        shape = last_line([options.bench, "export", name, folder], environment)
        for kind, outputs, iterations in PEERS[name]:
            for loss in ("square", "logistic"):
                found = peer("boosting_peer.py", [folder, shape, kind, str(iterations), "8", "0.1", loss] + ([str(outputs)] if outputs else []), environment)
                factor = 100 / iterations * (OUTPUTS[name] / outputs if outputs else 1)
                seconds = factor * found["fit_cpu"]
                score = f"{found['score']:.4f}" if factor == 1 else ""
                slower = [seconds / here[f"{ours}/{loss}/0.1/{rounds}"]["fit-cpu-seconds"] for ours, rounds in (("gbmort", 100), ("chosen", CHOSEN[name][1]))]
                print(f"| {name} | {kind}{'' if factor == 1 else f', time × {factor:.0f}'} | {loss} | 0.1 | 100 | {seconds:.2f} | {slower[0]:.1f} | {slower[1]:.1f} | {score} |", flush=True)


def main():
    options, environment = parse_options([*PEERS, "delicious"], "--no-peers")
    wanted = options.only.split(",")
    print("| data | algorithm | loss | rate | rounds | CPU s | slower than gbmort | than chosen | LRAP |\n" + "| --- " * 9 + "|")
    for name in [name for name in wanted if name != "delicious"]:
        beside_peers(name, options, environment)
    if "delicious" not in wanted:
        return
    print("\n| delicious | steps | CPU ms a step | ms a step, 1 thread | 2 threads | times | LRAP |\n" + "| --- " * 7 + "|")
    for id, described, steps in (("gbrt-rpo gaussian stump", "gbrt-rpo: {max_leaves: 2, projection: gaussian", 50),
                               ("gbrt-rpo gaussian", "gbrt-rpo: {max_leaves: 8, projection: gaussian", 50),
                               ("gbrt-rpo subsample", "gbrt-rpo: {max_leaves: 8, projection: subsample", 50),
                               ("gbrt-relabel-rpo gaussian 20", "gbrt-rpo: {max_leaves: 8, projection: gaussian, size: 20, relabel: true", 20),
                               ("gbmort", "gbmort: {max_leaves: 8", 10)):
        times = {}
        for jobs in (1, 2):
            base, long = (experiment(options.coppice, "delicious", [f"{described}, id: x, loss: logistic, iterations: {count}}}"], METRICS, environment, jobs)["x"]
                          for count in (1, steps + 1))
            for seconds in ("fit-cpu-seconds", "fit-seconds"):
                times[jobs, seconds] = 1000 * (long[seconds] - base[seconds]) / steps
        one, two = times[1, "fit-seconds"], times[2, "fit-seconds"]
        print(f"| {id} | {steps} | {times[1, 'fit-cpu-seconds']:.1f} | {one:.1f} | {two:.1f} | {one / two:.2f} | {long['lrap']:.4f} |", flush=True)


main()
