#!/usr/bin/python3
"""Records scikit-learn's cost-complexity pruning: DecisionTreeRegressor(ccp_alpha=a) for alphas between the steps of its own path.

Made with scikit-learn 1.2.1 by `/usr/bin/python3 make_golden_pruning.py > golden_pruning.json`.
"""
import json
import numpy as np
from sklearn.tree import DecisionTreeRegressor

rng = np.random.RandomState(7)
x = rng.randn(80, 5).astype(np.float32).round(3)
y = np.column_stack([np.sin(2 * x[:, 0]) + x[:, 1], x[:, 2] * x[:, 3]]) + 0.3 * rng.randn(80, 2)
y = y.round(4)
path = DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(x, y)
alphas = path.ccp_alphas
steps = []
for i in list(range(1, len(alphas) - 1, 7)) + list(range(len(alphas) - 6, len(alphas) - 1)):
    alpha = (alphas[i] + alphas[i + 1]) / 2
    if alphas[i + 1] - alphas[i] < 1e-9:
        continue
    tree = DecisionTreeRegressor(random_state=0, ccp_alpha=alpha).fit(x, y)
    impurity = float(np.mean((tree.predict(x) - y) ** 2))
    steps.append({"alpha": float(alpha), "leaves": int(tree.get_n_leaves()), "depth": int(tree.get_depth()), "impurity": impurity})
print(json.dumps({"x": x.astype(float).round(3).tolist(), "y": y.tolist(), "steps": steps}))
