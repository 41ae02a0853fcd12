"""Does what Kubernetes does with job.yaml, on this machine: checks its rules, and runs each index as a process.

    python simulate.py JOB.YAML ETUDE DATA EXPERIMENT

DATA stands for the shared volume, and EXPERIMENT for the file in the config map. The first pod of every index is told
to end, as by an eviction; a pod that ends as a rule says to ignore is followed by another.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import yaml


def check(job):
    """What no schema says of a job with a pod failure policy and of its container."""
    spec = job["spec"]
    pod = spec["template"]["spec"]
    assert spec["completionMode"] == "Indexed" and 0 < spec["parallelism"] <= spec["completions"]
    assert pod["restartPolicy"] == "Never", "a pod failure policy needs this"
    (container,) = pod["containers"]
    for rule in spec["podFailurePolicy"]["rules"]:
        assert ("onExitCodes" in rule) != ("onPodConditions" in rule)
        assert rule.get("onExitCodes", {}).get("containerName", container["name"]) == container["name"]
        assert 0 not in rule.get("onExitCodes", {}).get("values", [])
    volumes = {volume["name"] for volume in pod["volumes"]}
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes
    assert f"auto/{spec['completions']}" in container["args"], "the shards are not the completions"
    return spec, container


def action(spec, code):
    """What is done about a pod that ended with this code."""
    for rule in spec["podFailurePolicy"]["rules"]:
        codes = rule.get("onExitCodes")
        if codes and (code in codes["values"]) == (codes["operator"] == "In"):
            return rule["action"]
    return "Count"


def main(file, etude, data, experiment):
    spec, container = check(yaml.safe_load(Path(file).read_text()))
    mounted = {"/experiment/my.toml": str(Path(experiment).resolve())}
    line = [etude, *(mounted.get(arg, arg) for arg in container["args"])]
    os.makedirs(data, exist_ok=True)
    ignored = 0
    for index in range(spec["completions"]):
        variables = {"JOB_COMPLETION_INDEX": str(index), "HOME": "/nonexistent"}
        for attempt in range(5):
            pod = subprocess.Popen(line, cwd=data, env=variables, stderr=subprocess.PIPE, text=True)
            if attempt == 0:
                journal = Path(data, f"results/my-shards/{index + 1}-of-{spec['completions']}/blocks.csv")
                while pod.poll() is None and not journal.exists():
                    time.sleep(0.002)
                pod.send_signal(signal.SIGTERM)
            _, said = pod.communicate()
            if pod.returncode == 0:
                break
            assert action(spec, pod.returncode) == "Ignore", (pod.returncode, said)
            ignored += 1
        else:
            sys.exit(f"index {index} did not complete")
    assert ignored, "no pod was stopped"
    print(f"{ignored} pods were stopped with 75, and others went on")


if __name__ == "__main__":
    main(*sys.argv[1:])
