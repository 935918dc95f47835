"""schema.py FOLDER DOCUMENT: a JSON document is what its schema in FOLDER says, and the schema is strict.

Strict: the same document with an unknown key in any of its objects is refused, and so is one without its head. Prints
the name of the schema. Exit 1: it is not so; 77: the Debian package python3-jsonschema is missing.
"""

import copy
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(77)


def objects(value, path=()):
    """The paths of all objects in a document, one for each place in its structure: of an array's objects with the same
    keys, the first."""
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            yield from objects(item, path + (key,))
    elif isinstance(value, list):
        seen = set()
        for index, item in enumerate(value):
            shape = tuple(sorted(item)) if isinstance(item, dict) else type(item).__name__
            if shape not in seen:
                seen.add(shape)
                yield from objects(item, path + (index,))


def changed(document, path, change):
    """A copy of the document with the object at the path changed."""
    document = copy.deepcopy(document)
    at = document
    for key in path:
        at = at[key]
    change(at)
    return document


def main(folder, file):
    document = json.loads(pathlib.Path(file).read_text())
    name = document["schema"]
    described = pathlib.Path(folder) / (name.replace("/", "-") + ".json")
    if not described.exists():
        sys.exit(f"{described}: there is no such schema")
    schema = json.loads(described.read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    complaints = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(document)]
    for path in objects(document):
        if validator.is_valid(changed(document, path, lambda at: at.update(Nobody_knows_this=1))):
            complaints.append(f"an unknown key in {list(path)} is accepted")
    for key in ("schema",) if "error" in document else ("schema", "tool_version"):
        if validator.is_valid(changed(document, (), lambda at: at.pop(key))):
            complaints.append(f"it is accepted without {key}")
    for complaint in complaints:
        print(f"{name}: {complaint}", file=sys.stderr)
    print(name)
    return 1 if complaints else 0


sys.exit(main(*sys.argv[1:]))
