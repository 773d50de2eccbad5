#!/usr/bin/env python3
"""docs_pages.py PROGRAM OUT puts the pages of the documentation site together in the folder OUT.

Pages keep their places in the repository, so that their links hold; README.md becomes index.md. A link to a file that is
no page becomes a link to a copy of that file. The reference of all keys is made from `PROGRAM schema`, the pages of the
programming interfaces from headers and modules. A link to a file that does not exist is an error.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "tools/cudaemu/README.md"]
LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")


def all_pages() -> list[Path]:
    return [ROOT / p for p in PAGES] + sorted(p for p in (ROOT / "docs").rglob("*.md"))


def place_of(page: Path) -> Path:
    """Where a page of the repository lies in the site."""
    relative = page.relative_to(ROOT)
    return Path("index.md") if relative == Path("README.md") else relative


def with_site_links(page: Path, pages: set[Path], out: Path, wrong: list[str]) -> str:
    """The text of a page whose links lead to pages of the site and to copies of other files."""

    def site_link(match: re.Match[str]) -> str:
        target = (page.parent / match[2]).resolve()
        if not target.is_relative_to(ROOT) or not target.exists():
            wrong.append(f"{page.relative_to(ROOT)}: there is no {match[2]}")
            return match[0]
        up = "../" * (len(place_of(page).parts) - 1)
        if target in pages:
            return f"{match[1]}{up}{place_of(target)}{match[3] or ''}{match[4]}"
        relative = target.relative_to(ROOT)
        if target.is_dir():  # a list of its files
            listing = out / relative / "files.md"
            listing.parent.mkdir(parents=True, exist_ok=True)
            names = sorted(p for p in target.rglob("*") if p.is_file())
            for name in names:
                copy(name, out)
            lines = [f"- [{n.relative_to(target)}]({n.relative_to(target)})" for n in names]
            listing.write_text(f"# {relative}\n\n" + "\n".join(lines) + "\n")
            return f"{match[1]}{up}{relative}/files.md{match[4]}"
        copy(target, out)
        return f"{match[1]}{up}{relative}{match[4]}"

    # Links inside of code are no links.
    parts = re.split(r"(```.*?```|`[^`\n]*`)", page.read_text(), flags=re.S)
    return "".join(part if part.startswith("`") else LINK.sub(site_link, part) for part in parts)


def copy(file: Path, out: Path) -> None:
    to = out / file.relative_to(ROOT)
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def kind_of(node: dict) -> str:
    """What a value may be, in a few words."""
    if "const" in node:
        return f"`{json.dumps(node['const'])}`"
    if "enum" in node:
        return ", ".join(f"`{json.dumps(v)}`" for v in node["enum"])
    for several in ("anyOf", "oneOf"):
        if several in node:
            return " or ".join(dict.fromkeys(kind_of(n) for n in node[several]))
    if "$ref" in node:
        return node["$ref"].rsplit("/", 1)[-1]
    kind = node.get("type", "any value")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    if kind == "array":
        length = node.get("minItems")
        of = kind_of(node["items"]) if isinstance(node.get("items"), dict) else "values"
        return f"{length} × {of}" if length is not None and length == node.get("maxItems") else f"list of {of}"
    low = node.get("minimum", node.get("exclusiveMinimum"))
    high = node.get("maximum", node.get("exclusiveMaximum"))
    bounds = [f"{'≥' if 'minimum' in node else '>'} {low}"] if low not in (None, -1e30, 1e-50) else []
    if low == 1e-50:
        bounds = ["> 0"]
    if high not in (None, 1e30):
        bounds.append(f"{'≤' if 'maximum' in node else '<'} {high}")
    return " ".join([kind, *bounds])


def rows_of(node: dict, path: str, rows: list[str], depth: int = 0) -> None:
    """A row for each key below a node of the schema. `*` stands for a name that the user chooses, `N` for an index."""
    required = set(node.get("required", []))
    children = dict(node.get("properties", {}))
    if isinstance(node.get("additionalProperties"), dict):
        children["*"] = node["additionalProperties"]
    if isinstance(node.get("items"), dict) and node["items"].get("type") == "object":
        children["N"] = node["items"]
    for key, child in children.items():
        full = f"{path}.{key}" if path else key
        if key != "N":
            default = "required" if key in required else (f"`{json.dumps(child['default'])}`" if "default" in child else "")
            text = child.get("description", "").replace("|", "\\|").replace("[", "\\[")
            rows.append(f"| `{full}` | {kind_of(child)} | {default} | {text} |".replace("\n", " "))
        if depth < 12:
            rows_of(child, full, rows, depth + 1)
            for several in ("anyOf", "oneOf"):
                for option in child.get(several, []):
                    if option.get("type") in ("object", "array"):
                        rows_of(option, full, rows, depth + 1)


def schema_page(program: str) -> str:
    schema = json.loads(subprocess.run([program, "schema"], capture_output=True, check=True, text=True).stdout)
    text = ["# All keys", "", "This page is made from `scree schema`. [The case file](docs/case_file.md) explains the keys. "
            "In a path, `*` is a name that you choose, and `N` is an index.", ""]
    for key, node in schema["properties"].items():
        rows: list[str] = []
        rows_of({"properties": {key: node}, "required": schema.get("required", [])}, "", rows)
        text += [f"## {key}", "", "| key | values | default | |", "|---|---|---|---|", *dict.fromkeys(rows), ""]
    return "\n".join(text)


def python_page(sources: Path) -> str:
    """The Python interface, from docstrings. In copies of the modules, examples are indented, as Markdown wants code, and
    a space of no width parts `[n] [m]`, the shape and the unit of an array, which Markdown would take for a link."""
    example = re.compile(r"^( +)>>> .*(?:\n\1(?:>>>|\.\.\.) .*)*", flags=re.M)
    for module in (ROOT / "python/src/scree").rglob("*.py"):
        to = sources / module.relative_to(ROOT / "python/src")
        to.parent.mkdir(parents=True, exist_ok=True)
        text = example.sub(lambda lines: re.sub("^", "    ", lines[0], flags=re.M), module.read_text())
        to.write_text(text.replace("] [", "]\u200b ["))
    modules = ["scree.case", "scree.simulation", "scree.results", "scree.frames", "scree.measures", "scree.errors"]
    return "# Python\n\n[Python](docs/python.md) explains how to use these.\n\n" + "".join(
        f"::: {module}\n\n" for module in modules)


def cpp_page() -> str:
    """The public headers with all their comments: they are written to be read."""
    text = ["# C++", "", "The public headers. [C++](docs/library.md) explains how to use them.", ""]
    for header in sorted((ROOT / "include/scree").glob("*.hpp")):
        text += [f"## {header.name}", "", "```cpp", header.read_text().rstrip(), "```", ""]
    return "\n".join(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM", help="the program scree, whose schema becomes a page")
    parser.add_argument("out", metavar="OUT", type=Path, help="folder of the pages; what is in it is removed")
    arguments = parser.parse_args()
    program, out = arguments.program, arguments.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    pages = set(all_pages())
    wrong: list[str] = []
    for page in sorted(pages):
        to = out / place_of(page)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(with_site_links(page, pages, out, wrong))
    (out / "schema.md").write_text(schema_page(program))
    (out / "python_api.md").write_text(python_page(out.parent / "python"))
    (out / "cpp_api.md").write_text(cpp_page())
    config = (ROOT / "docs/site/mkdocs.yml").read_text()
    readme = (ROOT / "README.md").read_text()  # its order: the easy ones first
    tutorials = sorted((p.relative_to(ROOT) for p in (ROOT / "docs/tutorials").glob("*.md")),
                       key=lambda page: (str(page) not in readme, readme.find(str(page)), page))
    items = "".join(f"\n      - {p}" for p in tutorials)
    (out.parent / "mkdocs.yml").write_text(
        config.replace("../../build/docs/", "").replace(
            "  - Tutorials: []  # docs_pages.py fills this in", f"  - Tutorials:{items}"))
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
