"""Gradient boosting of scikit-learn (HistGradientBoosting, a model for each output) or XGBoost (one tree for each output and round).
One JSON line with CPU seconds and accuracy.

usage: boosting_peer.py FOLDER SHAPE_JSON hist|xgboost ITERATIONS LEAVES RATE LOSS [OUTPUTS]
       (FOLDER and SHAPE_JSON as trees_bench exports them; LOSS is square or logistic; OUTPUTS: so many outputs only, to extrapolate)
"""
import json, sys, warnings
import numpy as np
import scipy.sparse as sp
from sklearn.metrics import label_ranking_average_precision_score, r2_score
from trees_peer import cpu, load, peak

warnings.simplefilter("ignore")


def hist(x_train, y_train, x_test, iterations, leaves, rate, loss):
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    x_train, x_test = x_train.toarray(), x_test.toarray()
    kind = HistGradientBoostingClassifier if loss == "logistic" else HistGradientBoostingRegressor
    varying = [j for j in range(y_train.shape[1]) if len(np.unique(y_train[:, j])) > 1]
    scores = np.tile(y_train[0].astype(float), (x_test.shape[0], 1))
    start = cpu()
    models = [kind(max_iter=iterations, learning_rate=rate, max_leaf_nodes=leaves, early_stopping=False, random_state=1).fit(x_train, y_train[:, j]) for j in varying]
    seconds = cpu() - start
    for j, model in zip(varying, models):
        scores[:, j] = model.predict_proba(x_test)[:, 1] if loss == "logistic" else model.predict(x_test)
    return seconds, scores


def xgboost(x_train, y_train, x_test, iterations, leaves, rate, loss):
    import xgboost

    dense = x_train.nnz > 0.1 * x_train.shape[0] * x_train.shape[1]
    convert = (lambda x: x.toarray()) if dense else (lambda x: x.tocsr())
    settings = {"tree_method": "hist", "grow_policy": "lossguide", "max_leaves": leaves, "max_depth": 0, "eta": rate, "nthread": 1, "verbosity": 0,
                "objective": "binary:logistic" if loss == "logistic" else "reg:squarederror"}
    start = cpu()
    model = xgboost.train(settings, xgboost.DMatrix(convert(x_train), label=y_train.astype(np.float32)), iterations)
    fit = cpu() - start
    return fit, model.predict(xgboost.DMatrix(convert(x_test))).reshape(x_test.shape[0], -1)


def main():
    folder, shape, peer, iterations, leaves, rate, loss = sys.argv[1:8]
    shape = json.loads(shape)
    x_train, x_test, y_train, y_test = load(folder, shape)
    x_train, x_test = sp.csr_matrix(x_train), sp.csr_matrix(x_test)
    outputs = int(sys.argv[8]) if len(sys.argv) > 8 else y_train.shape[1]
    y_train, y_test = np.asarray(y_train)[:, :outputs], np.asarray(y_test)[:, :outputs]
    fit, scores = {"hist": hist, "xgboost": xgboost}[peer](x_train, y_train, x_test, int(iterations), int(leaves), float(rate), loss)
    score = r2_score(y_test, scores) if shape["regression"] else label_ranking_average_precision_score(y_test, scores)
    print(json.dumps({"fit_cpu": round(fit, 3), "score": round(float(score), 4), "outputs": outputs, "peak_mb": round(peak(), 1)}))


main()
