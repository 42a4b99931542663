"""Writes golden.txt beside this file: random predictions and what scikit-learn 1.2.1 says of them.

Run with the Python that has scikit-learn 1.2.1 and numpy 1.24 (Debian 12: /usr/bin/python3). The tests read the
file only; they need no Python. Numbers are printed so that they read back as the same doubles.
"""

import os
import warnings

import numpy as np
import sklearn
from sklearn import metrics

warnings.filterwarnings("ignore")
RANDOM = np.random.RandomState(20160)
DEPTHS = (1, 3, 5, 40)
AVERAGED = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
}


def size(index, rows, columns):
    """Small cases, in which rare coincidences happen, and now and then a larger one."""
    if index % 37 == 36:
        return RANDOM.randint(20, 41), RANDOM.randint(10, 31)
    return RANDOM.randint(1, rows), RANDOM.randint(1, columns)


def tie_free(rows, columns):
    """Different numbers everywhere, in random order, some of them negative."""
    count = rows * columns
    return (RANDOM.permutation(count).reshape(rows, columns) + 1 - count // 4) / 64.0


def label_scores(kind, rows, columns):
    if kind == "tie-free":
        return tie_free(rows, columns)
    if kind == "levels":
        return RANDOM.choice([0.0, 0.25, 0.5, 0.75, 1.0], (rows, columns), p=[0.5, 0.2, 0.1, 0.1, 0.1])
    if kind == "signed":
        return RANDOM.randint(-3, 4, (rows, columns)) / 4.0
    scores = np.round(RANDOM.uniform(0, 1, (rows, columns)), 3)
    scores[RANDOM.uniform(size=scores.shape) < 0.3] = 0.0
    return scores


def label_sets(rows, columns):
    truth = (RANDOM.uniform(size=(rows, columns)) < RANDOM.choice([0.1, 0.3, 0.6])).astype(int)
    if RANDOM.uniform() < 0.5:
        truth[RANDOM.randint(rows)] = 0
    if RANDOM.uniform() < 0.3:
        truth[RANDOM.randint(rows)] = 1
    if RANDOM.uniform() < 0.3:
        truth[:, RANDOM.randint(columns)] = 0
    return truth


def ranking_values(truth, scores, kind):
    values = {"lrap": metrics.label_ranking_average_precision_score(truth, scores)}
    if truth.shape[1] > 1:
        values["coverage-error"] = metrics.coverage_error(truth, scores)
        values["ranking-loss"] = metrics.label_ranking_loss(truth, scores)
        if kind == "tie-free":
            for depth in DEPTHS:
                values[f"ndcg@{depth}"] = metrics.ndcg_score(truth, scores, k=depth)
    both = [j for j in range(truth.shape[1]) if 0 < truth[:, j].sum() < len(truth)]
    areas = [metrics.roc_auc_score(truth[:, j], scores[:, j]) for j in both]
    values["macro-auc"] = np.mean(areas) if both else float("nan")
    if 0 < truth.sum() < truth.size:
        values["micro-auc"] = metrics.roc_auc_score(truth.ravel(), scores.ravel())
    else:
        values["micro-auc"] = float("nan")
    return values


def multilabel_case(kind, index):
    rows, columns = size(index, 9, 9)
    scores, truth = label_scores(kind, rows, columns), label_sets(rows, columns)
    predicted = (scores >= 0.5).astype(int)
    values = ranking_values(truth, scores, kind)
    if columns > 1:
        values["hamming-loss"] = metrics.hamming_loss(truth, predicted)
        values["subset-accuracy"] = metrics.accuracy_score(truth, predicted)
        values["accuracy"] = values["subset-accuracy"]
        values["jaccard"] = metrics.jaccard_score(truth, predicted, average="samples", zero_division=1)
        for average in ("micro", "macro", "samples"):
            for name, score in AVERAGED.items():
                values[f"{average}-{name}"] = score(truth, predicted, average=average, zero_division=0)
    return "multi-label", [np.flatnonzero(row) for row in truth], scores, values


def multiclass_case(kind, index):
    rows, columns = size(index, 12, 6)
    columns += 1
    scores = label_scores(kind, rows, columns)
    truth = RANDOM.randint(0, RANDOM.randint(1, columns + 1), rows)
    predicted = scores.argmax(axis=1)
    one_hot = np.zeros((rows, columns), dtype=int)
    one_hot[np.arange(rows), truth] = 1
    values = ranking_values(one_hot, scores, kind)
    values["accuracy"] = metrics.accuracy_score(truth, predicted)
    values["one-error"] = 1.0 - values["accuracy"]
    values["balanced-accuracy"] = metrics.balanced_accuracy_score(truth, predicted)
    values["log-loss"] = metrics.log_loss(truth, scores, labels=np.arange(columns))
    for average in ("micro", "macro"):
        for name, score in AVERAGED.items():
            values[f"{average}-{name}"] = score(truth, predicted, average=average, zero_division=0)
    if kind == "tie-free" and columns > 2:
        for depth in DEPTHS:
            top = metrics.top_k_accuracy_score(truth, scores, k=depth, labels=np.arange(columns))
            values[f"precision@{depth}"] = top / depth
    return "multi-class", [[label] for label in truth], scores, values


def regression_case(kind, index):
    rows, columns = size(index, 14, 5)
    offset = RANDOM.choice([0, 0, 1000, -50])
    truth = np.round(RANDOM.normal(offset, 2, (rows, columns)), 2)
    if kind == "constant":
        truth[:, RANDOM.randint(columns)] = RANDOM.randint(-3, 4)
    if kind == "all-constant":
        truth[:] = RANDOM.randint(-3, 4, columns)
    predicted = np.round(truth + RANDOM.normal(0, 1, (rows, columns)), 2)
    if RANDOM.uniform() < 0.3:
        exact = RANDOM.randint(columns)
        predicted[:, exact] = truth[:, exact]
    values = {
        "mse": metrics.mean_squared_error(truth, predicted),
        "mae": metrics.mean_absolute_error(truth, predicted),
        "r2-macro": metrics.r2_score(truth, predicted),
        "r2-variance": metrics.r2_score(truth, predicted, multioutput="variance_weighted"),
    }
    return "regression", truth, predicted, values


def number(value):
    value = float(value)
    return str(int(value)) if value.is_integer() else repr(value)


def write(file, case):
    task, truth, scores, values = case
    print("case", task, len(scores), len(scores[0]), file=file)
    for true, row in zip(truth, scores):
        print(" ".join(map(number, true)), "|", " ".join(map(number, row)), file=file)
    for name, value in values.items():
        print(name, repr(float(value)), file=file)


def main():
    assert sklearn.__version__ == "1.2.1", sklearn.__version__
    kinds = ("tie-free", "levels", "signed", "probabilities")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.txt"), "w") as file:
        versions = f"scikit-learn {sklearn.__version__} and numpy {np.__version__}"
        print("# Made by make_golden.py with", versions, file=file)
        for index in range(480):
            write(file, multilabel_case(kinds[index % 4], index))
        for index in range(320):
            write(file, multiclass_case(kinds[index % 4], index))
        for index in range(150):
            write(file, regression_case(("random", "random", "constant", "all-constant")[index % 4], index))


main()
