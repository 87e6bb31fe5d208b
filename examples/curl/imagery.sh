#!/usr/bin/env bash
# Field imagery: fields are submitted from a file, the newest picture of one of them is read from storage. Needs curl and jq.
set -euo pipefail
FILE=${SERVICE_FILE:-${LOCAL_DIR:-.local}/service.json}
URL=$(jq -r .baseUrl "$FILE") KEY=$(jq -r .apiKey "$FILE")
export CURL_CA_BUNDLE=$(jq -r '.caFile // empty' "$FILE") # real storage needs none

jq -cn '{
  image_source: "sentinel-2-l2a", start_date: (now - 86400 * 20 | todate[:10]), end_date: (now | todate[:10]),
  layers: [{ layer: "ndvi" }, { layer: "true-color" }]
}' |
  curl -sS --fail-with-body "$URL/v1/enrollments" -H "Api-Key: $KEY" -H "Idempotency-Key: example-$(date +%s%N)" \
    -F 'request=@-;type=application/json' -F "geojson=@${1:-examples/fields.geojson};type=application/geo+json" |
  jq -r '"Enrollment \(.enrollment_id): \(.status)"'

# Pictures follow within minutes; the storage token alone opens them, for eight hours.
ACCESS=$(curl -sS --fail-with-body "$URL/v1/auth/sas-token" -H "Api-Key: $KEY")
ACCOUNT=$(jq -r --argjson a "$ACCESS" '.blobEndpoint // "https://\($a.account_name).blob.core.windows.net"' "$FILE")
FIELD=$ACCOUNT/$(jq -r '"\(.file_system)/\(.path)"' <<< "$ACCESS")/sentinel-2/north-40
SAS=$(jq -r .sas_token <<< "$ACCESS")

until DAY=$(curl -sS --fail "$FIELD/index.json?$SAS" 2> /dev/null |
  jq -er '[."fieldimagery:dates"[] | select(.layers | index("true-color"))] | last | .date // empty'); do
  sleep 2
done
curl -sS --fail-with-body "$FIELD/$DAY/true-color.tiff?$SAS" -o true-color.tiff
echo "$DAY: the picture is in true-color.tiff."
