"""The results of a batch: rows and their pictures, from the ZIP files of its parts."""

from __future__ import annotations

import csv
import hashlib
import io
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from typing import IO, Dict, Iterator, List, Optional

from . import types
from ._caller import Caller
from ._message import Params, segment
from .errors import NoAnswer, TesseraError, UnreadableAnswer

MANIFEST = "manifest.csv"
#: Downloads of a part whose SHA-256 is not the one that the gateway says.
DAMAGED_MAX = 3
#: Answers one after the other that break off before their first byte.
STALLS_MAX = 3


@dataclass(frozen=True)
class BatchRow:
    """
    A row of which the code was made, as the manifest has it: with an apostrophe before a text that a spreadsheet would
    take for a formula.
    """

    #: Counted from 1.
    row: int
    #: Your own id of the row.
    external_id: Optional[str]
    name: Optional[str]
    content: str
    slug: Optional[str]
    short_url: Optional[str]
    #: 4 to 0; of several files the lowest.
    grade: int
    warnings: str
    #: The bytes of each format, ``png`` and so on.
    files: Dict[str, bytes] = field(repr=False)
    #: The name that the ZIP gives to each file.
    names: Dict[str, str] = field(repr=False)


def read_results(caller: Caller, batch_id: str) -> Iterator[BatchRow]:
    """Yields the rows of a batch in order. One part at a time is on the disk."""
    path = f"/api/v1/batches/{segment(batch_id)}/parts"
    parts = caller._json("GET", path)["data"]
    for part in sorted(parts, key=lambda each: int(each["n"])):
        with tempfile.TemporaryFile() as file:
            _fetch(caller, f"{path}/{part['n']}", part, file)
            yield from _rows_in(file)


def _rows_in(file: IO[bytes]) -> Iterator[BatchRow]:
    with zipfile.ZipFile(file) as archive, archive.open(MANIFEST) as manifest:
        lines = csv.DictReader(io.TextIOWrapper(manifest, "utf-8", newline=""))
        for number, group in groupby(lines, key=lambda line: int(line["row"])):
            yield _row_of(archive, number, list(group))


def _row_of(archive: zipfile.ZipFile, number: int, lines: List[Dict[str, str]]) -> BatchRow:
    lowest = min(lines, key=lambda line: int(line["grade"]))
    names = {line["file"].rpartition(".")[2]: line["file"] for line in lines}
    return BatchRow(
        row=number,
        external_id=lowest["external_id"] or None,
        name=lowest["name"] or None,
        content=lowest["content"],
        slug=lowest["slug"] or None,
        short_url=lowest["short_url"] or None,
        grade=int(lowest["grade"]),
        warnings=lowest["warnings"],
        files={kind: archive.read(name) for kind, name in names.items()},
        names=names,
    )


def _fetch(caller: Caller, path: str, part: types.BatchPart, file: IO[bytes]) -> None:
    """Downloads a part. One that breaks off goes on where it stopped."""
    for _ in range(DAMAGED_MAX):
        digest = hashlib.sha256()
        file.seek(0)
        file.truncate()
        have = 0
        stalls = 0
        while have < part["bytes"]:
            before = have
            failure: TesseraError = UnreadableAnswer(f"{path} has fewer bytes than the gateway says")
            try:
                for chunk in _rest(caller, path, part, have):
                    file.write(chunk)
                    digest.update(chunk)
                    have += len(chunk)
            except NoAnswer as cause:
                failure = cause
            stalls = 0 if have > before else stalls + 1
            if stalls > STALLS_MAX:
                raise failure
        if digest.hexdigest() == part["sha256"]:
            return
    raise UnreadableAnswer(f"{path} does not have the SHA-256 that the gateway says, however often it is downloaded")


def _rest(caller: Caller, path: str, part: types.BatchPart, have: int) -> Iterator[bytes]:
    whole: Params = {}
    wanted: Params = {"range": f"bytes={have}-", "if-range": f'"{part["sha256"]}"'}
    with closing(caller._download("GET", path, headers=wanted if have > 0 else whole)) as download:
        if have > 0 and download.status != 206:
            raise UnreadableAnswer(f"{path} was changed while it was downloaded")
        yield from download
