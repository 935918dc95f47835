"""schema.py FOLDER: JSON documents are what their schemas in FOLDER say, and the schemas are strict.

Reads the names of files, one a line, and answers each by a line: the name of its schema, or that, a colon and what is
wrong. Strict: the same document with an unknown key in any of its objects is refused, and so is one without its head.
Exit 77: the Debian package python3-jsonschema is missing.
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


def complaints(folder, document):
    """What is wrong with a document, or with its schema."""
    described = pathlib.Path(folder) / (document["schema"].replace("/", "-") + ".json")
    if not described.exists():
        return [f"{described}: there is no such schema"]
    schema = json.loads(described.read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    found = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(document)]
    for path in objects(document):
        if validator.is_valid(changed(document, path, lambda at: at.update(Nobody_knows_this=1))):
            found.append(f"an unknown key in {list(path)} is accepted")
    for key in ("schema",) if "error" in document else ("schema", "tool_version"):
        if validator.is_valid(changed(document, (), lambda at: at.pop(key))):
            found.append(f"it is accepted without {key}")
    return found


def answer(folder, file):
    try:
        document = json.loads(pathlib.Path(file).read_text())
        name, found = document["schema"], complaints(folder, document)
    except Exception as error:  # any failure of the validator means that the document is not valid
        name, found = "none", [repr(error)]
    return ": ".join([name] + [" | ".join(found).replace("\n", " ")] * bool(found))


for line in sys.stdin:
    print(answer(sys.argv[1], line.rstrip("\n")), flush=True)
