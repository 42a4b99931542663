#!/usr/bin/env python3
"""Records trees of scikit-learn's DecisionTreeRegressor for tests/core/tree/grower_test.cpp.

Made with scikit-learn 1.2.1 and numpy 1.24: python3 make_golden_trees.py > golden_trees.json
Every case is checked to have no two equally good splits in any node, so that the tree is unique.
"""
import json

import numpy as np
from sklearn.tree import DecisionTreeRegressor


def best_gains(X, Y):
    """The best gain of each feature, and the gap between the best and second best boundary of any feature."""
    gains = []
    for feature in range(X.shape[1]):
        order = np.argsort(X[:, feature], kind="stable")
        y = Y[order]
        left = np.cumsum(y, axis=0)[:-1]
        total = y.sum(axis=0)
        n_left = np.arange(1, len(y))[:, None]
        score = (left**2 / n_left).sum(axis=1) + ((total - left) ** 2 / (len(y) - n_left)).sum(axis=1)
        gains.extend(score.tolist())
    return np.sort(gains)[::-1]


def check_no_ties(tree, X, Y):
    paths = tree.decision_path(X).tocsc()
    for node in range(tree.tree_.node_count):
        if tree.tree_.children_left[node] < 0:
            continue
        rows = paths[:, node].nonzero()[0]
        gains = best_gains(X[rows], Y[rows])
        assert gains[0] - gains[1] > 1e-9 * abs(gains[0]), "a tie: choose another seed"


def case(name, seed, n, p, d, labels=False, **options):
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(n, p)).astype(np.float32)
    signal = np.stack([np.sin(X[:, j % p]) + X[:, (j + 1) % p] for j in range(d)], axis=1)
    Y = signal + 0.3 * rng.normal(size=(n, d))
    if labels:
        Y = (Y > 0.2).astype(float)
    tree = DecisionTreeRegressor(**options).fit(X, Y)
    if "min_samples_leaf" not in options:
        check_no_ties(tree, X, Y)
    t = tree.tree_
    return {
        "name": name,
        "options": options,
        "labels": labels,
        "x": [[float(v) for v in row] for row in X],
        "y": [[float(v) for v in row] for row in Y],
        "feature": [int(f) if f >= 0 else -1 for f in t.feature],
        "threshold": [float(v) if f >= 0 else 0.0 for f, v in zip(t.feature, t.threshold)],
        "left": t.children_left.tolist(),
        "right": t.children_right.tolist(),
        "samples": t.n_node_samples.tolist(),
        "value": [np.atleast_1d(v.squeeze()).tolist() for v in t.value],
    }


print(json.dumps({"cases": [
    case("one output", 1, 120, 4, 1, min_samples_split=16),
    case("three outputs", 2, 150, 5, 3, min_samples_split=16),
    case("six outputs, limited depth", 3, 150, 4, 6, max_depth=3),
    case("best first", 4, 150, 5, 2, max_leaf_nodes=9),
    case("least rows in a leaf", 5, 150, 4, 2, min_samples_leaf=11),
    case("least decrease", 6, 150, 4, 1, min_impurity_decrease=0.02),
    case("labels", 7, 200, 4, 3, labels=True, min_samples_split=30),
    case("labels, best first", 8, 200, 4, 4, labels=True, max_leaf_nodes=6),
]}))
