#!/usr/bin/python3
"""Staged predictions of scikit-learn's GradientBoostingRegressor, one output, square loss, best-first trees.

usage: make_golden_gbrt.py > golden_gbrt.json     (scikit-learn 1.2.1 of Debian 12)

Inputs and outputs are rounded so that they are exact in single precision and in the file. Where two splits tie, scikit-learn takes
one at random: data on which its own predictions depend on random_state are drawn again. Predictions of the test rows after some
steps.
"""
import json
import numpy as np
from sklearn.ensemble import GradientBoostingRegressor


def staged(x, y, leaves, rate, least, seed):
    model = GradientBoostingRegressor(n_estimators=30, learning_rate=rate, max_leaf_nodes=leaves, max_depth=None, min_samples_leaf=least,
                                      criterion="squared_error", random_state=seed).fit(x[:120], y[:120])
    return np.array(list(model.staged_predict(x[120:])))


def case(random, leaves, rate, least):
    while True:
        x = np.round(random.uniform(size=(160, 6)) * 4096) / 4096
        y = np.round((10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4] + random.normal(size=160)) * 1024) / 1024
        predictions = staged(x, y, leaves, rate, least, 0)
        if all(np.abs(staged(x, y, leaves, rate, least, seed) - predictions).max() < 1e-9 for seed in range(1, 20)):
            return {"max_leaves": leaves, "learning_rate": rate, "min_samples_leaf": least, "x": x.tolist(), "y": y.tolist(),
                    "stages": {str(s): predictions[s - 1].tolist() for s in (1, 2, 10, 30)}}


random = np.random.RandomState(7)
print(json.dumps([case(random, *setting) for setting in ((2, 0.1, 1), (4, 0.5, 1), (8, 0.1, 5), (8, 1.0, 10))]))
