#!/usr/bin/env python3
"""equiframe check --json | tools/summarise_laws.py: the worst error of each law, frame and dtype."""
import json
import sys

laws = json.load(sys.stdin)["laws"]
worst = {}
for row in laws:
    group_and_frame = row["subject"].split(" | ")[0]
    far = row["subject"].endswith("| far")
    key = (row["law"], group_and_frame + (" (far)" if far else ""), row["dtype"])
    kept = worst.setdefault(key, dict(error=0.0, tolerance=row["tolerance"], count=0, failed=0))
    kept["error"] = max(kept["error"], row["error"])
    kept["count"] += 1
    kept["failed"] += not row["pass"]
rows = [dict(law=law, subject=subject, dtype=dtype, **kept)
        for (law, subject, dtype), kept in worst.items()]
json.dump(dict(measured=len(laws), failed=sum(r["failed"] for r in rows), laws=rows), sys.stdout,
          indent=1)
print()
