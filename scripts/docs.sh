#!/usr/bin/env bash
# scripts/docs.sh [PROGRAM]: builds the documentation site into build/docs/site, with MkDocs Material in a virtual
# environment. Dead links, also those to headings, are errors. PROGRAM (default: build/host/bin/scree) prints the schema.
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
cd "$root"
program="${1:-}"
if [ -z "$program" ]; then
  need_packages
  build_preset host scree
  program="$root/build/host/bin/scree"
fi
folder="$root/build/docs"
mkdir -p "$folder"
if [ ! -x "$folder/venv/bin/mkdocs" ]; then
  "${SCREE_PYTHON:-python3}" -m venv "$folder/venv"
  run_logged "$folder/pip.log" "$folder/venv/bin/python" -m pip install --disable-pip-version-check \
    "mkdocs-material >= 9.5, < 10" "mkdocstrings[python] >= 0.26"
fi
"$folder/venv/bin/python" scripts/docs_pages.py "$program" "$folder/pages"
NO_MKDOCS_2_WARNING=1 run_logged "$folder/mkdocs.log" "$folder/venv/bin/mkdocs" build --config-file "$folder/mkdocs.yml"
echo "the site is in build/docs/site/index.html"
