#!/usr/bin/env bash
# A party with a farm and its fields from a GeoJSON file, then degree days and the boundary of one of them.
# Needs curl and jq. Run again it changes what it made before.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
FILE=${SERVICE_FILE:-${LOCAL_DIR:-.local}/service.json}
URL=$(jq -r .baseUrl "$FILE") TOKEN=$(jq -r .jwt "$FILE")
PARTY=5e0d1c1e-2f7a-4c0b-9a54-1f5f0b3f7a10 FARM=0b9c7b58-1d52-4e5e-8f43-5f1f8f1f2d11
VERSION=api-version=2023-11-01-preview

call() { # path with query, then what curl is told besides
  curl -sS --fail-with-body "$URL$1" -H "Authorization: Bearer $TOKEN" "${@:2}"
}
patch() { # path, members
  call "$1?$VERSION" -X PATCH -H 'Content-Type: application/merge-patch+json' -d "$2" > /dev/null
}

patch "/parties/$PARTY" '{"name":"Miller"}'
patch "/parties/$PARTY/farms/$FARM" '{"name":"Home farm"}'

IMPORT=$(call "/v1/imports?partyId=$PARTY&farmId=$FARM" -H 'Content-Type: application/geo+json' \
  --data-binary "@$HERE/../fields.geojson" | jq -r .id)
while ANSWER=$(call "/v1/imports/$IMPORT") && STATUS=$(jq -r .status <<< "$ANSWER") &&
  [[ $STATUS == Waiting || $STATUS == Running ]]; do
  sleep 1
done
jq -r '"\(.status): \(.written) fields written, \(.failed) not"' <<< "$ANSWER"

# The file calls the field north-40; jobs take UUIDs, so its id is one made of that name.
FIELD=$(call "/parties/$PARTY/fields?$VERSION&propertyFilters=sourceId%20eq%20north-40" | jq -er '.value[0].id')
echo "The field north-40 has the id $FIELD."

# The examples of both kinds of jobs, told of this field instead of the demo party's.
OURS=$(mktemp)
trap 'rm -f "$OURS"' EXIT
POINT=$(call "/parties/$PARTY/fields/$FIELD?$VERSION" |
  jq -c '.geometry.coordinates[0][0:4] | { longitude: (map(.[0]) | add / 4), latitude: (map(.[1]) | add / 4) }')
jq --arg party "$PARTY" --arg farm "$FARM" --arg field "$FIELD" --argjson point "$POINT" \
  '. + { partyId: $party, farmId: $farm, fieldIds: [$field], pointOnSurface: $point }' "$FILE" > "$OURS"
SERVICE_FILE=$OURS bash "$HERE/gdd.sh"
SERVICE_FILE=$OURS bash "$HERE/boundary.sh"
