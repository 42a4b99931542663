#!/usr/bin/env python3
"""Reads a results folder with pandas: means with deviations, and a swept parameter as columns.

    coppice export results/quickstart --out tidy
    python3 docs/examples/read_results.py tidy r2-macro
"""
import sys

import pandas

folder, metric = sys.argv[1], sys.argv[2]
results = pandas.read_csv(f"{folder}/results.csv")
algorithms = pandas.read_csv(f"{folder}/algorithms.csv")

# One row is one number: the metric of one trial at one stage. Folds are averaged within a repeat first.
scores = results[results.metric == metric]
repeats = scores.groupby(["dataset", "algorithm", "repeat"], sort=False).value.mean()
summary = repeats.groupby(["dataset", "algorithm"], sort=False).agg(["mean", "std", "count"])
print(summary.to_string())

# The names of swept algorithms taken apart: id, parameter, value.
swept = algorithms.dropna(subset=["parameter"])
for parameter in swept.parameter.unique():
    values = swept[swept.parameter == parameter].merge(summary.reset_index(), on="algorithm")
    print(values.pivot_table(index=["dataset", "id"], columns="value", values="mean").to_string())
