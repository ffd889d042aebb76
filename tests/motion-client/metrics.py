"""Reads a page of metrics as Prometheus's own library does: the page on standard input, its samples as JSON on
standard output, one `[name, labels, value]` each."""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

samples = []
for family in text_string_to_metric_families(sys.stdin.read()):
    if not family.documentation:
        sys.exit(f"{family.name} does not say what it is")
    samples += [[sample.name, sample.labels, sample.value] for sample in family.samples]
json.dump(samples, sys.stdout)
