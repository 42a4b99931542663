#!/usr/bin/python3
"""Compares coppice's readers with those of scikit-learn and scipy on the same files, in one run, by CPU time.

usage: COPPICE_DATA=folder tests/bench/readers.py build/release/tests/readers_bench [megabytes of extreme text]

Needs Debian's python3-sklearn and python3-scipy. Prints one JSON line for each comparison.
"""
import bz2
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def coppice(bench, *words):
    """What readers_bench measured: reading, and reading again from the cache."""
    def run(verb):
        return json.loads(subprocess.run([bench, verb, *map(str, words)], check=True, capture_output=True).stdout)
    return {**run("cached"), **run("read")}


def cpu(action):
    """The best of three: the machine has other work."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best


def unpack(source, folder):
    opener = {".xz": lzma.open, ".bz2": bz2.open}.get(source.suffix)
    if opener is None:
        return source
    target = folder / source.stem
    with opener(source) as packed, open(target, "wb") as plain:
        while block := packed.read(1 << 20):
            plain.write(block)
    return target


def report(name, ours, theirs, reader):
    print(json.dumps({"file": name, "coppice_cpu_seconds": ours["cpu_seconds"],
                      "cached_cpu_seconds": ours["cached_cpu_seconds"], "reference": reader,
                      "reference_cpu_seconds": round(theirs, 3), "ratio": round(theirs / ours["cpu_seconds"], 1)}),
          flush=True)


def main():
    bench = sys.argv[1]
    data = pathlib.Path(os.environ["COPPICE_DATA"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        from scipy.io import arff as scipy_arff
        from sklearn.datasets import load_svmlight_file
        from sklearn.externals import _arff as liac_arff

        def liac(path):
            with open(path, encoding="utf-8") as file:
                liac_arff.load(file, return_type=liac_arff.LOD)

        for source, labels in (("rcv1sub1/rcv1sub1.arff.xz", data / "rcv1sub1/rcv1sub1.xml"),
                               ("imdb/Imdb.arff.bz2", "")):
            path = unpack(data / source, folder)
            ours = coppice(bench, "arff", path, *([labels] if labels else []))
            report(source, ours, cpu(lambda: liac(path)), "sklearn liac-arff, sparse")
        for source, targets in (("rf1/rf1.arff.xz", 8), ("scene/scene-train.arff.xz", data / "scene/scene.xml")):
            path = unpack(data / source, folder)
            ours = coppice(bench, "arff", path, targets)
            report(source, ours, cpu(lambda: scipy_arff.loadarff(path)), "scipy.io.arff, dense")
        for source in ("farm-ads/farm-ads.svm.xz", "mushrooms/agaricus.txt.train.xz"):
            path = unpack(data / source, folder)
            ours = coppice(bench, "libsvm", path)
            report(source, ours, cpu(lambda: load_svmlight_file(str(path))), "sklearn load_svmlight_file")
        if len(sys.argv) > 2:
            path = folder / "extreme.txt"
            subprocess.run([bench, "generate", sys.argv[2], str(path)], check=True)
            ours = coppice(bench, "extreme-text", path)
            print(json.dumps({"file": "generated extreme text", **ours}))


main()
