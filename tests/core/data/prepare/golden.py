#!/usr/bin/python3
"""Makes the golden values of prepare_test.cpp with scikit-learn (1.2.1): prints C++ initialisers.

Training rows are the first five; whatever is fitted is fitted on them and applied to all seven rows.
"""
import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import Normalizer, StandardScaler

NAN = np.nan
X = np.array([[1, 0, 2, 5], [NAN, 0, 4, 5], [3, 2, NAN, 5], [10, 0, -1, 5], [NAN, 0, 7, 5], [8, 4, NAN, 5],
              [NAN, 0, 3, 6]], dtype=float)
COUNTS = np.array([[1, 0, 2, 0], [0, 0, 4, 1], [3, 2, 0, 1], [0, 0, 0, 0], [1, 0, 7, 0], [8, 4, 0, 0], [0, 1, 3, 6]],
                  dtype=float)
TARGETS = np.array([[1, 10], [2, 10], [4, 10], [8, 10], [16, 10], [32, 11], [0, 9]], dtype=float)


def show(name, matrix):
    values = ", ".join(f"{value:.9g}" for value in np.asarray(matrix).ravel())
    print(f"const std::vector<double> {name}{{{values}}};")


filled = SimpleImputer(strategy="median").fit(X[:5]).transform(X)
show("imputed", filled)
show("standardised", StandardScaler().fit(filled[:5]).transform(filled))
show("unit", Normalizer().fit_transform(filled))
show("idf", TfidfTransformer(norm=None).fit(COUNTS[:5]).transform(COUNTS).toarray())
show("tf_idf", TfidfTransformer().fit(COUNTS[:5]).transform(COUNTS).toarray())
show("targets", StandardScaler().fit(TARGETS[:5]).transform(TARGETS))
