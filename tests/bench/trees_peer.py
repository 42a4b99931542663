"""scikit-learn's forests on a dataset that trees_bench exported: one JSON line with CPU seconds, memory, accuracy.

usage: trees_peer.py FOLDER SHAPE_JSON rf|et classifier|regressor TREES SEED

Predictions are scores of all outputs of all test rows, from inputs whose rows lie ready. They are timed with all trees and with half of
them, so that what does not depend on the number of trees can be told apart.
"""
import json, os, resource, sys, time, warnings

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import scipy.sparse as sp
from sklearn import ensemble
from sklearn.metrics import label_ranking_average_precision_score, r2_score

warnings.simplefilter("ignore")


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024e-6


def load(folder, shape):
    read = lambda name, kind: np.fromfile(os.path.join(folder, name), kind)
    n, p, d = shape["rows"], shape["features"], shape["outputs"]
    x = sp.csc_matrix((read("x_values", "f4"), read("x_rows", "u4").astype("i4"), read("x_begin", "u8").astype("i8")), shape=(n, p))
    if shape["regression"]:
        y = read("y_values", "f8").reshape(n, d)
    else:
        labels = read("y_labels", "u4").astype("i4")
        y = sp.csr_matrix((np.ones(len(labels), "i1"), labels, read("y_begin", "u8").astype("i8")), shape=(n, d))
    train, test = read("train", "u4"), read("test", "u4")
    take = (lambda rows: y[rows]) if shape["regression"] else (lambda rows: y[rows].toarray())
    x = x.tocsr()
    return x[train], x[test], take(train), take(test)


def inputs_for(x_train, x_test):
    """Dense or sparse, whichever scikit-learn is faster on: dense down to about one value in thirty."""
    density = x_train.nnz / (x_train.shape[0] * x_train.shape[1])
    dense = density > 0.03 or x_train.shape[0] * x_train.shape[1] < 10e6
    return (x_train.toarray(), x_test.toarray()) if dense else (x_train.tocsc(), x_test)


def timed(work):
    start = cpu()
    result = work()
    return cpu() - start, result


def predict_scores(model, kind, x_test):
    if kind == "regressor":
        return model.predict(x_test)
    parts = model.predict_proba(x_test)
    scores = np.zeros((x_test.shape[0], len(parts)))
    for j, part in enumerate(parts):
        present = np.flatnonzero(model.classes_[j] == 1)
        if len(present):
            scores[:, j] = part[:, present[0]]
    return scores


def main():
    folder, shape, forest, kind, trees, seed = sys.argv[1:7]
    shape = json.loads(shape)
    x_train, x_test, y_train, y_test = load(folder, shape)
    x_train, x_test = inputs_for(x_train, x_test)
    name = {"rf": "RandomForest", "et": "ExtraTrees"}[forest] + {"classifier": "Classifier", "regressor": "Regressor"}[kind]
    options = {"max_features": "sqrt"}
    if shape["regression"]:
        options = {"max_features": 1 / 3 if forest == "rf" else 1.0, "min_samples_split": 5 if forest == "rf" else 2}
    model = getattr(ensemble, name)(n_estimators=int(trees), n_jobs=1, random_state=int(seed), **options)
    data_peak = peak()
    start = cpu()
    model.fit(x_train, y_train)
    fit = cpu() - start
    fit_peak = peak()
    fastest = lambda: min((timed(lambda: predict_scores(model, kind, x_test)) for _ in range(7)), key=lambda run: run[0])
    predict, scores = fastest()
    model.estimators_ = model.estimators_[:int(trees) // 2]
    half, _ = fastest()
    score = r2_score(y_test, scores) if shape["regression"] else label_ranking_average_precision_score(y_test, scores)
    print(json.dumps({"fit_cpu": round(fit, 3), "predict_cpu": round(predict, 4), "predict_half_cpu": round(half, 4), "score": round(score, 5), "inputs": "sparse" if sp.issparse(x_train) else "dense",
                      "data_mb": round(data_peak, 1), "fit_peak_mb": round(fit_peak, 1), "peak_mb": round(peak(), 1)}))


if __name__ == "__main__":
    main()
