"""Prints as JSON what a wheel contains and says about itself. Fails when a file or its line in RECORD is damaged."""

import base64
import csv
import email
import hashlib
import json
import sys
import zipfile

FIELDS = ("Name", "Version", "Summary", "License", "Requires-Python", "Description-Content-Type")

with zipfile.ZipFile(sys.argv[1]) as wheel:
    files = {name: wheel.read(name) for name in wheel.namelist()}


def named(ending: str) -> str:
    (name,) = (name for name in files if name.endswith(ending))
    return name


record = named(".dist-info/RECORD")
listed = list(csv.reader(files[record].decode().splitlines()))
assert sorted(name for name, _, _ in listed) == sorted(files), "RECORD lists other files"
for name, digest, size in listed:
    if name != record:
        encoded = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={encoded}", len(files[name])), name

metadata = email.message_from_string(files[named(".dist-info/METADATA")].decode())
wheel_file = email.message_from_string(files[named(".dist-info/WHEEL")].decode())
print(
    json.dumps(
        {
            "modules": {
                name: hashlib.sha256(text).hexdigest()
                for name, text in sorted(files.items())
                if ".dist-info/" not in name
            },
            "fields": {field: metadata[field] for field in FIELDS},
            "classifiers": metadata.get_all("Classifier"),
            "readme": metadata.get_payload().strip(),
            "tag": wheel_file["Tag"],
            "pure": wheel_file["Root-Is-Purelib"],
            "licence": files[named("/LICENSE")].decode(),
        }
    )
)
