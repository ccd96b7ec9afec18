#!/bin/sh
# Reduces a built workspace to what the named apps need to run, for example: install-service.sh ingest cli
# Projects are installed by their own declarations, so the gateway gets no database client and no model runtime.
set -eu
# npm keeps the dev dependencies of a workspace that are workspaces too, with all that they depend on.
npm pkg delete devDependencies --workspaces --include-workspace-root
rm -rf node_modules
npm ci --omit=dev --no-audit --no-fund $(printf -- '--workspace=apps/%s ' "$@")
for project in apps/* libs/*; do
  [ -e "node_modules/@cairn/${project#*/}" ] || rm -rf "$project"
done
find apps libs -type d -name src -prune -exec rm -rf {} +
