"""What the benchmark scripts share: commands that must succeed, and experiments of one dataset."""
import argparse, csv, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def parse_options(sets, *switches):
    """The options of a script that compares with a peer, and the environment of its commands: one thread, the folder of data."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--coppice", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--data", default=os.environ.get("COPPICE_DATA", ""))
    parser.add_argument("--only", default=",".join(sets))
    for switch in switches:
        parser.add_argument(switch, action="store_true")
    options = parser.parse_args()
    return options, dict(os.environ, COPPICE_DATA=options.data, OMP_NUM_THREADS="1")


def output(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def last_line(command, environment):
    return output(command, environment).strip().splitlines()[-1]


def peer(script, arguments, environment):
    """What a peer beside this file measured."""
    return json.loads(last_line(["/usr/bin/python3", os.path.join(HERE, script), *arguments], environment))


def experiment(coppice, name, algorithms, metrics, environment, jobs=1, repeats=1):
    """For each algorithm its metrics on the given split of a dataset, means over so many seeds. `algorithms` are entries of a config."""
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "config.yaml")
        with open(config, "w") as out:
            out.write(f"name: bench\nseed: 1\ndatasets: [{name}]\nprotocol: {{test: given, repeats: {repeats}}}\nalgorithms:\n")
            out.writelines(f"  - {line}\n" for line in algorithms)
            out.write(f"metrics: [{', '.join(metrics)}]\n")
        results = os.path.join(folder, "results")
        output([coppice, "run", config, "--out", results, "--jobs", str(jobs), "--quiet"], environment)
        found = {}
        for row in csv.DictReader(open(os.path.join(results, "results.csv"))):
            found.setdefault(row["algorithm"], {}).setdefault(row["metric"], []).append(float(row["value"]))
        return {id: {metric: sum(values) / len(values) for metric, values in metrics.items()} for id, metrics in found.items()}
