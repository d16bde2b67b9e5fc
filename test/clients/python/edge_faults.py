"""Saves and edits codes through a proxy that fails. Prints what each call has answered."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from typing import List

from tessera_client import Client, types

CALLS = int(os.environ["CALLS"])
GROUP = 10

with Client(os.environ["EDGE_URL"], os.environ["TESSERA_KEY"]) as client, ThreadPoolExecutor(10) as threads:

    def save(n: int) -> types.CodeWithDesign:
        return client.save_code({"data": f"https://example.com/{n}", "dynamic": True})

    saved = list(threads.map(save, range(CALLS)))
    slugs = [str(code["slug"]) for code in saved]

    def edit(n: int) -> str:
        return client.update_link(slugs[n], {"destination": f"https://example.com/edited/{n}"})["destination"]

    destinations = list(threads.map(edit, range(CALLS)))

    def end(n: int) -> object:
        group: List[str] = slugs[n * GROUP : (n + 1) * GROUP]
        change: types.RouteChange = {"active_until": "2050-01-01T00:00:00Z"}
        return client.update_links({"slugs": group, "change": change})["change_id"]

    changes = list(threads.map(end, range(CALLS // GROUP)))

    def draw(n: int) -> int:
        return len(client.create_file({"data": f"file {n}"}).read())

    files = list(threads.map(draw, range(CALLS // GROUP)))
    moved = client.move_codes({"ids": [code["id"] for code in saved], "folder_id": client.create_folder({"name": "Moved"})["id"]})

print(json.dumps({"ids": [code["id"] for code in saved], "slugs": slugs, "destinations": destinations, "changes": changes, "files": files, "moved": moved["codes"]}))
