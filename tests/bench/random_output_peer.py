"""Random-output forests made of scikit-learn's parts: project the labels, fit a regression forest, label its leaves once from
sparse rows. One JSON line with CPU seconds and accuracy.

usage: random_output_peer.py FOLDER SHAPE_JSON SIZE TREES SEED      (FOLDER and SHAPE_JSON as trees_bench exports them)
"""
import json, sys
import numpy as np
import scipy.sparse as sp
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import label_ranking_average_precision_score
from trees_peer import cpu, inputs_for, load, peak


def main():
    folder, shape, size, trees, seed = sys.argv[1:6]
    size, trees, random = int(size), int(trees), np.random.RandomState(int(seed))
    x_train, x_test, y_train, y_test = load(folder, json.loads(shape))
    x_train, x_test = inputs_for(x_train, x_test)
    labels = sp.csr_matrix(y_train, dtype=np.float64)
    start = cpu()
    grown = []
    for tree in range(trees):
        projection = random.normal(scale=1 / np.sqrt(size), size=(labels.shape[1], size))
        model = RandomForestRegressor(n_estimators=1, max_features="sqrt", random_state=random.randint(1 << 31))
        grown.append(model.fit(x_train, (labels @ projection).reshape(len(y_train), -1).squeeze()))
    # The leaves of all training rows that a tree has seen, with their bootstrap counts: means by one sparse product.
    relabelled = []
    for model in grown:
        rows = np.random.RandomState(model.estimators_[0].random_state).randint(0, len(y_train), len(y_train))
        counts = np.bincount(rows, minlength=len(y_train)).astype(float)
        leaf = model.apply(x_train)[:, 0]
        nodes = model.estimators_[0].tree_.node_count
        membership = sp.csr_matrix((counts, (leaf, np.arange(len(leaf)))), shape=(nodes, len(leaf)))
        weight = np.maximum(np.asarray(membership.sum(axis=1)).ravel(), 1e-300)
        relabelled.append(sp.diags(1 / weight) @ membership @ labels)
    fit = cpu() - start
    start = cpu()
    scores = sum(means[model.apply(x_test)[:, 0]] for model, means in zip(grown, relabelled))
    predict = cpu() - start
    lrap = label_ranking_average_precision_score(y_test, np.asarray(scores.todense()))
    print(json.dumps({"fit_cpu": round(fit, 3), "predict_cpu": round(predict, 3), "score": round(lrap, 4), "peak_mb": round(peak(), 1)}))


main()
