"""Writes golden.json, what the statistics tests compare with: scipy.stats where it has the test, else the
definition itself, spelt out by brute force. Run with Debian's python3 (scipy 1.10.1, numpy 1.24.2):

    /usr/bin/python3 make_golden.py
"""

import itertools
import json
import pathlib
import warnings

import numpy as np
from scipy import stats

warnings.filterwarnings("ignore")
random = np.random.default_rng(20260801)
golden = {}

golden["tails"] = {
    "chi_square": [[x, df, stats.chi2.sf(x, df)] for x in (0.1, 3.0, 9.09, 62.5) for df in (1, 7, 20)],
    "f": [[x, a, b, stats.f.sf(x, a, b)] for x in (0.5, 2.2, 15.0) for a, b in ((1, 5), (7, 49), (7, 140))],
    "student": [[x, df, 2 * stats.t.sf(abs(x), df)] for x in (-3.1, 0.0, 0.7, 12.0) for df in (1, 4, 99)],
    "normal": [[x, 2 * stats.norm.sf(abs(x))] for x in (-2.5, 0.0, 0.3, 9.0)],
}
golden["studentised_range"] = [
    [k, alpha, stats.studentized_range.ppf(1 - alpha, k, np.inf)] for k in (2, 3, 8, 20, 50) for alpha in (0.1, 0.05, 0.01)
]


def rounded_scores(rows, columns):
    """Scores with few digits, so that there are ties and zeros."""
    return np.round(random.normal(0.6, 0.05, (rows, columns)) + np.linspace(0, 0.04, columns), 2)


golden["friedman"] = []
for _ in range(40):
    scores = rounded_scores(int(random.integers(2, 25)), int(random.integers(3, 10)))
    statistic, p = stats.friedmanchisquare(*scores.T)
    golden["friedman"].append({"scores": scores.tolist(), "chi_square": statistic, "p": p})


def exact_by_enumeration(ranks, smaller):
    """The two-sided p-value over all signs of the given ranks."""
    sums = [sum(r for r, s in zip(ranks, signs) if s) for signs in itertools.product((0, 1), repeat=len(ranks))]
    return min(1.0, 2 * np.mean([s <= smaller + 1e-9 for s in sums]))


def enumerated_wilcoxon(difference, zeros):
    if zeros == "wilcox":
        difference = difference[difference != 0]
    ranks = stats.rankdata(np.abs(difference))
    plus, minus, none = (ranks[difference > 0].sum(), ranks[difference < 0].sum(), ranks[difference == 0].sum())
    if zeros == "pratt":
        ranks = ranks[difference != 0]
    elif zeros == "zsplit":
        plus, minus = plus + none / 2, minus + none / 2
    return exact_by_enumeration(ranks, min(plus, minus))


golden["wilcoxon"] = []
for case in range(60):
    pairs = int(random.integers(5, 13)) if case < 30 else int(random.integers(20, 60))
    scores = rounded_scores(pairs, 2)
    if case % 3 == 0:
        scores = random.normal(0.6, 0.05, (pairs, 2))
    difference = np.round(scores[:, 0] - scores[:, 1], 12)
    if not difference.any():
        continue
    entry = {"first": scores[:, 0].tolist(), "second": scores[:, 1].tolist()}
    for zeros in ("wilcox", "pratt", "zsplit"):
        entry[zeros] = {"normal": stats.wilcoxon(difference, zero_method=zeros, mode="approx").pvalue}
        if pairs < 13:
            entry[zeros]["exact"] = enumerated_wilcoxon(difference, zeros)
        elif len(np.unique(np.abs(difference))) == pairs and difference.all():
            entry[zeros]["exact"] = stats.wilcoxon(difference, mode="exact").pvalue
    golden["wilcoxon"].append(entry)

golden["paired_t"] = []
for ratio in (0.0, 1 / 9, 0.5):
    for pairs in (2, 5, 30):
        scores = random.normal(0.6, 0.05, (pairs, 2)) + np.array([0.02, 0.0])
        difference = scores[:, 0] - scores[:, 1]
        t = difference.mean() / np.sqrt((1 / pairs + ratio) * difference.var(ddof=1))
        if ratio == 0.0:
            assert np.isclose(t, stats.ttest_rel(scores[:, 0], scores[:, 1]).statistic)
        golden["paired_t"].append(
            {"first": scores[:, 0].tolist(), "second": scores[:, 1].tolist(), "test_to_train": ratio, "t": t,
             "p": 2 * stats.t.sf(abs(t), pairs - 1), "cohen_d": difference.mean() / difference.std(ddof=1)})


def bayesian_signed_rank(difference, rope, samples=20000):
    """Benavoli et al. 2017, section 4.2, all pairs at once."""
    z = np.concatenate(([0.0], difference))
    sums = z[:, None] + z[None, :]
    left, right = sums < -2 * rope, sums > 2 * rope
    wins = np.zeros(3)
    for weights in random.dirichlet([0.5] + [1.0] * len(difference), samples):
        shares = [weights @ left @ weights, weights @ ~(left | right) @ weights, weights @ right @ weights]
        wins[np.argmax(shares)] += 1
    return (wins / samples).tolist()


golden["bayesian"] = []
for pairs, shift, rope in ((8, 0.0, 0.01), (21, 0.01, 0.01), (15, 0.03, 0.01), (12, 0.005, 0.02), (30, -0.02, 0.0)):
    scores = random.normal(0.6, 0.02, (pairs, 2)) + np.array([shift, 0.0])
    second, equal, first = bayesian_signed_rank(scores[:, 0] - scores[:, 1], rope)
    golden["bayesian"].append(
        {"first": scores[:, 0].tolist(), "second": scores[:, 1].tolist(), "rope": rope, "first_better": first,
         "equal": equal, "second_better": second})

target = pathlib.Path(__file__).with_name("golden.json")
target.write_text(json.dumps(golden, indent=None, separators=(",", ":")).replace('},{', '},\n{') + "\n")
