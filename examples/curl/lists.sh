#!/usr/bin/env bash
# What there is: a submission is tried out without storing it, the fields and the newest jobs are listed. Needs curl and jq.
set -euo pipefail
FILE=${SERVICE_FILE:-${LOCAL_DIR:-.local}/service.json}
URL=$(jq -r .baseUrl "$FILE") KEY=$(jq -r .apiKey "$FILE") TOKEN=$(jq -r .jwt "$FILE")

jq -cn '{
  image_source: "sentinel-2-l2a", start_date: (now - 86400 * 20 | todate[:10]), end_date: (now | todate[:10]),
  layers: [{ layer: "ndvi" }]
}' |
  curl -sS --fail-with-body "$URL/v1/enrollments?dry_run=true" -H "Api-Key: $KEY" \
    -F 'request=@-;type=application/json' -F "geojson=@${1:-examples/fields.geojson};type=application/geo+json" |
  jq -r '.fields[] | "\(.field_id): \(if .errors then [.errors[].message] | join(" ") else "\(.area_ha) ha, sound" end)"'

# Pages of fields, until there is no further one.
CURSOR=
while
  PAGE=$(curl -sS --fail-with-body -G "$URL/v1/fields" -H "Api-Key: $KEY" -d limit=250 ${CURSOR:+--data-urlencode "cursor=$CURSOR"})
  jq -c '.items[]' <<< "$PAGE"
  CURSOR=$(jq -r '.cursor // empty' <<< "$PAGE")
  [[ -n $CURSOR ]]
do :; done |
  jq -cs '{ type: "FeatureCollection", features: map({
    type: "Feature", properties: { field_id, group, area_ha, newest_picture }, geometry
  }) }' > listed.geojson
jq -r '"\(.features | length) fields are in listed.geojson; the newest picture is of \([.features[].properties.newest_picture] | max // "no day yet")."' listed.geojson

# The token needs the role Jobs.Read.
curl -sS --fail-with-body -G "$URL/v1/jobs" -H "Authorization: Bearer $TOKEN" -d limit=5 |
  jq -r '.items[] | "\(.jobCreatedDateTime[:10]) \(.kind) \(.crop // ""): \(.status)"'
