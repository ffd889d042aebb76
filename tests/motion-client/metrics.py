"""Parses a page of metrics with the official Prometheus library: reads the page from standard input and writes its
samples to standard output as JSON, each as `[name, labels, value]`."""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

samples = []
for family in text_string_to_metric_families(sys.stdin.read()):
    if not family.documentation:
        sys.exit(f"{family.name} does not say what it is")
    samples += [[sample.name, sample.labels, sample.value] for sample in family.samples]
json.dump(samples, sys.stdout)
