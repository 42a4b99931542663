#!/usr/bin/python3
"""Random-output forests of coppice beside the same made of scikit-learn's parts: CPU seconds, LRAP and ratios, as a Markdown table.

usage: random_output.py --coppice build/release/coppice --bench build/release/tests/trees_bench [--data FOLDER] [--only bibtex,yeast]

100 trees, one thread, gaussian projections, one for each tree. The peer projects the labels, fits scikit-learn's random forest
regressor on them and labels the leaves once from sparse rows. Both on the same data in the same run.
"""
import argparse, csv, json, os, subprocess, sys, tempfile

# dataset: sizes with the least ratio asked for
CASES = {"bibtex": {5: 5}, "delicious": {1: 5, 7: 5, 25: 5}, "yeast": {3: 4}, "scene": {2: 4}}
HERE = os.path.dirname(os.path.abspath(__file__))


def output(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def ours(coppice, name, sizes, environment, folder):
    config = os.path.join(folder, "config.yaml")
    with open(config, "w") as out:
        out.write(f"""name: bench
seed: 1
datasets: [{name}]
protocol: {{test: given}}
algorithms:
  - random-forest: {{id: plain}}
  - random-output-forest: {{id: projected, sweep: {{size: {list(sizes)}}}}}
metrics: [lrap, fit-cpu-seconds]
""")
    results = os.path.join(folder, "results")
    output([coppice, "run", config, "--out", results, "--jobs", "1", "--quiet"], environment)
    found = {}
    for row in csv.DictReader(open(os.path.join(results, "results.csv"))):
        found.setdefault(row["algorithm"], {})[row["metric"]] = float(row["value"])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--coppice", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--data", default=os.environ.get("COPPICE_DATA", ""))
    parser.add_argument("--only", default=",".join(CASES))
    options = parser.parse_args()
    environment = dict(os.environ, COPPICE_DATA=options.data, OMP_NUM_THREADS="1")
    print("| data | q | fit s | peer s | ratio | floor | plain forest s | LRAP | peer | plain |")
    print("| --- " * 10 + "|")
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            shape = output([options.bench, "export", name, folder], environment).strip().splitlines()[-1]
            here = ours(options.coppice, name, CASES[name], environment, folder)
            for size, floor in CASES[name].items():
                peer = json.loads(output(["/usr/bin/python3", os.path.join(HERE, "random_output_peer.py"), folder, shape, str(size), "100", "1"],
                                         environment).strip().splitlines()[-1])
                mine, plain = here[f"projected size={size}"], here["plain"]
                print(f"| {name} | {size} | {mine['fit-cpu-seconds']:.2f} | {peer['fit_cpu']:.2f} | {peer['fit_cpu'] / mine['fit-cpu-seconds']:.1f} | {floor} "
                      f"| {plain['fit-cpu-seconds']:.2f} | {mine['lrap']:.4f} | {peer['score']:.4f} | {plain['lrap']:.4f} |", flush=True)


main()
