#!/usr/bin/python3
"""Random-output forests of coppice beside the same made of scikit-learn's parts: CPU seconds, LRAP and ratios, as a Markdown table.

usage: random_output.py --coppice build/release/coppice --bench build/release/tests/trees_bench [--data FOLDER] [--only bibtex,yeast]

100 trees, one thread, gaussian projections, one for each tree. The peer projects the labels, fits scikit-learn's random forest
regressor on them and labels the leaves once from sparse rows. Both on the same data in the same run.
"""
import tempfile

from runs import experiment, last_line, parse_options, peer

# dataset: sizes with the least ratio asked for
CASES = {"bibtex": {5: 5}, "delicious": {1: 5, 7: 5, 25: 5}, "yeast": {3: 4}, "scene": {2: 4}}


def main():
    options, environment = parse_options(CASES)
    print("| data | q | fit s | peer s | ratio | floor | plain forest s | LRAP | peer | plain |")
    print("| --- " * 10 + "|")
    for name in options.only.split(","):
        here = experiment(options.coppice, name, ["random-forest: {id: plain}", f"random-output-forest: {{id: projected, sweep: {{size: {list(CASES[name])}}}}}"],
                          ["lrap", "fit-cpu-seconds"], environment)
        with tempfile.TemporaryDirectory() as folder:
            shape = last_line([options.bench, "export", name, folder], environment)
            for size, floor in CASES[name].items():
                theirs = peer("random_output_peer.py", [folder, shape, str(size), "100", "1"], environment)
                mine, plain = here[f"projected size={size}"], here["plain"]
                print(f"| {name} | {size} | {mine['fit-cpu-seconds']:.2f} | {theirs['fit_cpu']:.2f} | {theirs['fit_cpu'] / mine['fit-cpu-seconds']:.1f} | {floor} "
                      f"| {plain['fit-cpu-seconds']:.2f} | {mine['lrap']:.4f} | {theirs['score']:.4f} | {plain['lrap']:.4f} |", flush=True)


main()
