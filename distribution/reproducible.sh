#!/usr/bin/env bash
# Builds the release archive twice from clean clones of the last commit and compares the bytes.
set -euo pipefail

home=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for side in first second; do
  git clone -q "$home" "$work/$side"
  # Other places and other times must give the same bytes.
  (cd "$work/$side" && ./mvnw -B -q -DskipTests package -pl distribution -am "$@")
done

status=0
for archive in "$work"/first/distribution/target/hbase-fastpath-*.{tar.gz,zip}; do
  name=$(basename "$archive")
  if cmp "$archive" "$work/second/distribution/target/$name"; then
    sha512sum "$archive" | sed "s| .*/| |"
  else
    status=1
  fi
done
exit $status
