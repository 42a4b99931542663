#!/usr/bin/python3
"""Forests of coppice beside scikit-learn's: CPU seconds, accuracy, peak memory, and the ratios, as a Markdown table.

usage: trees.py --bench build/release/tests/trees_bench [--data FOLDER] [--sets emotions,yeast] [--peer-record FILE] [--seeds N] [--repeat N]
       trees.py --bench build/release/tests/trees_bench --growth
       trees.py --bench build/release/tests/trees_bench --threads [--sets delicious,rcv1sub1] [--repeat 5] [--algorithms craftml --trees 50]
       trees.py --bench build/release/tests/trees_bench --equal [--sets rcv1sub1,tmc2007-500] [--seeds 3]

The peer of a row is the faster of scikit-learn's classifier and regressor (labels), or the regressor (real targets), single thread.
With --peer-record, peers whose figures are in the file are not run again, and new ones are added to it. Peers that would need hours or
more memory than there is are fitted with fewer trees (`FEWER` below) and their seconds scaled: the cost of a forest is linear in its
trees; for predictions, what half of the trees take tells how much is the same for any number. Such rows are marked. Both sides predict
the scores of all outputs, seven times, the fastest counts; rows of inputs lie ready on both sides (coppice lists sparse inputs by row
when it first predicts). With --repeat, everything is run so often and the least seconds count, on both sides.
--growth shows how fitting grows with rows, with k and with labels; --threads what two threads gain, by the clock: one thread, two threads and
two programs of one thread each, which is what the machine can do, by turns and by their medians. The machine must be idle.
--equal compares at equal accuracy: scikit-learn counts constant features among the sqrt(p) that it draws for a node, coppice does not, so on
sparse data coppice's trees look at more and are more accurate. It takes k down in steps of a factor 0.7 as long as the mean score over some seeds is at least the peer's.
"""
import argparse, contextlib, json, os, statistics, subprocess, sys, tempfile

# name: (least ratio of fitting for rf, for et)
SETS = {"emotions": (4, 4), "scene": (4, 4), "yeast": (4, 4), "imclef07a": (4, 4), "rf1": (3, 3), "scm-like": (3, 3), "enron": (10, 10),
        "bibtex": (10, 10), "tmc2007-500": (10, 10), "rcv1sub1": (10, 10), "delicious": (60, 100)}
FEWER = {"delicious": 5}
HERE = os.path.dirname(os.path.abspath(__file__))


def line(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def least(runs):
    """The first of some runs of the same, with the least seconds of all."""
    seconds = [what for what in ("fit_cpu", "predict_cpu", "predict_half_cpu") if what in runs[0]]
    return dict(runs[0], **{what: min(run[what] for run in runs) for what in seconds})


def predict_seconds(run, trees):
    """What a peer of 100 trees would take to predict, by one of fewer."""
    per_tree = max(0.0, run["predict_cpu"] - run["predict_half_cpu"]) / (trees - trees // 2)
    return run["predict_cpu"] + (100 - trees) * per_tree


def growth(options, environment):
    print("| changed | random-forest s | extra-trees s |")
    print("| --- " * 3 + "|")
    for what, dataset, extra in ([(f"{rows} rows", f"rows-{2 * rows}", "") for rows in (2000, 4000, 8000, 16000, 32000)] +
                                 [(f"k = {k}", "rows-8000", f"features={k}") for k in (5, 10, 20, 40)] +
                                 [(f"{labels} labels", f"labels-{labels}", "") for labels in (10, 100, 1000, 10000)]):
        seconds = [min(line([options.bench, "run", dataset, algorithm, "20", "1", "1", *extra.split()], environment)["fit_cpu"]
                       for _ in range(options.repeat)) for algorithm in ("random-forest", "extra-trees")]
        print(f"| {what} | {seconds[0]:.3f} | {seconds[1]:.3f} |", flush=True)


def at_the_same_time(commands, environment):
    """The lines of programs that run side by side. They write to files: whoever reads a pipe takes a processor from them."""
    with contextlib.ExitStack() as stack:
        outputs = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in commands]
        running = [subprocess.Popen(command, env=environment, stdout=output) for command, output in zip(commands, outputs)]
        if any([program.wait() for program in running]):
            sys.exit(f"{' '.join(commands[0])} failed")
        for output in outputs:
            output.seek(0)
        return [json.loads(output.read()) for output in outputs]


def threads(options, environment):
    print("| data | algorithm | | one thread s | two threads s | ratio | two programs | ratio of the least |")
    print("| --- " * 8 + "|")
    for name in options.sets.split(","):
        for algorithm in options.algorithms.split(","):
            command = lambda count: [options.bench, "run", name, algorithm, options.trees, "1", count]
            one, two, programs = [], [], []
            for _ in range(options.repeat):
                one += at_the_same_time([command("1")], environment)
                two += at_the_same_time([command("2")], environment)
                programs += at_the_same_time([command("1"), command("1")], environment)
            for what in ("fit", "predict"):
                seconds = lambda runs: [run[what + "_wall"] for run in runs]
                middle = [statistics.median(seconds(runs)) for runs in (one, two, programs)]
                print(f"| {name} | {algorithm} | {what} | {middle[0]:.3f} | {middle[1]:.3f} | {middle[0] / middle[1]:.2f} | {2 * middle[0] / middle[2]:.2f} "
                      f"| {min(seconds(one)) / min(seconds(two)):.2f} |", flush=True)


def mean(runs, what):
    return sum(run[what] for run in runs) / len(runs)


def each_forest(options, environment):
    """Of every asked set both forests: name, rf or et, coppice's name for it, the least ratio, the exported data and its shape."""
    for name in options.sets.split(","):
        with tempfile.TemporaryDirectory() as folder:
            shape = json.dumps(line([options.bench, "export", name, folder], environment))
            yield name, "rf", "random-forest", SETS[name][0], folder, shape
            yield name, "et", "extra-trees", SETS[name][1], folder, shape


def fits(options, environment, name, algorithm, *parameters):
    """One run of coppice for each seed."""
    return [least([line([options.bench, "run", name, algorithm, "100", str(seed), "1", *parameters], environment) for _ in range(options.repeat)])
            for seed in range(1, options.seeds + 1)]


def equal(options, environment):
    options.peer_record = None  # it has one seed of each
    print("| data | forest | k | fit s | peer s | ratio | floor | score | peer |")
    print("| --- " * 9 + "|")
    for name, forest, algorithm, floor, folder, shape in each_forest(options, environment):
        theirs = [peer(options, environment, name, forest, folder, shape, {}, seed) for seed in range(1, options.seeds + 1)]
        k, found = int(json.loads(shape)["features"] ** 0.5), None
        while k >= 1:
            ours = fits(options, environment, name, algorithm, f"features={k}")
            if mean(ours, "score") < mean(theirs, "score"):
                break
            k, found = int(k * 0.7), (k, ours)
        if found is None:
            print(f"| {name} | {forest} | less accurate than the peer |", flush=True)
            continue
        k, ours = found
        print(f"| {name} | {forest} | {k} | {mean(ours, 'fit_cpu'):.3f} | {mean(theirs, 'fit_cpu'):.2f} | {mean(theirs, 'fit_cpu') / mean(ours, 'fit_cpu'):.1f} "
              f"| {floor} | {mean(ours, 'score'):.4f} | {mean(theirs, 'score'):.4f} |", flush=True)


def peer(options, environment, name, forest, folder, shape, record, seed=1):
    key = f"{name} {forest}"
    if key in record:
        return record[key]
    trees = FEWER.get(name, 100)
    kinds = ["regressor"] if json.loads(shape)["regression"] else ["classifier", "regressor"]
    runs = {kind: least([line(["/usr/bin/python3", os.path.join(HERE, "trees_peer.py"), folder, shape, forest, kind, str(trees), str(seed)], environment)
                         for _ in range(options.repeat)]) for kind in kinds}
    best = min(runs, key=lambda kind: runs[kind]["fit_cpu"])
    found = dict(runs[best], kind=best, trees=trees)
    found["predict_cpu"] = min(predict_seconds(run, trees) for run in runs.values())
    found["fit_cpu"] = found["fit_cpu"] * 100 / trees
    record[key] = found
    if options.peer_record:
        with open(options.peer_record, "w") as out:
            json.dump(record, out, indent=1, sort_keys=True)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", required=True)
    parser.add_argument("--data", default=os.environ.get("COPPICE_DATA", ""))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--peer-record")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--algorithms", default="random-forest,extra-trees", help="with --threads")
    parser.add_argument("--trees", default="100", help="with --threads")
    parser.add_argument("--equal", action="store_true")
    options = parser.parse_args()
    environment = dict(os.environ, COPPICE_DATA=options.data)
    for asked, run in ((options.growth, growth), (options.threads, threads), (options.equal, equal)):
        if asked:
            return run(options, environment)
    record = {}
    if options.peer_record and os.path.exists(options.peer_record):
        record = json.load(open(options.peer_record))
    print("| data | forest | fit s | peer s | ratio | floor | predict s | peer s | ratio | score | peer | peak MB | peer MB | model MB |")
    print("| --- " * 14 + "|")
    for name, forest, algorithm, floor, folder, shape in each_forest(options, environment):
        theirs = peer(options, environment, name, forest, folder, shape, record)
        ours = fits(options, environment, name, algorithm)
        of_ours = lambda what: mean(ours, what)
        mark = "" if theirs["trees"] == 100 else f" ({theirs['trees']} trees, scaled)"
        print(f"| {name} | {forest} | {of_ours('fit_cpu'):.3f} | {theirs['fit_cpu']:.2f}{mark} | {theirs['fit_cpu'] / of_ours('fit_cpu'):.1f} | {floor} "
              f"| {of_ours('predict_cpu'):.4f} | {theirs['predict_cpu']:.3f} | {theirs['predict_cpu'] / of_ours('predict_cpu'):.1f} "
              f"| {of_ours('score'):.4f} | {theirs['score']:.4f} | {of_ours('peak_mb'):.0f} | {theirs['peak_mb']:.0f} | {of_ours('model_mb'):.1f} |", flush=True)


main()
