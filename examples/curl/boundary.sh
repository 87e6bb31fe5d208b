#!/usr/bin/env bash
# The boundary of the field around a point. Needs curl and jq.
set -euo pipefail
FILE=${SERVICE_FILE:-${LOCAL_DIR:-.local}/service.json}
URL=$(jq -r .baseUrl "$FILE") TOKEN=$(jq -r .jwt "$FILE")
JOB=example-$(date +%s)

call() { # operation, body
  curl -sS --fail-with-body "$URL/solutions/partnerAgPowered.smartBoundary:$1" \
    -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "$2"
}

call create "$(jq -c --arg job "$JOB" '(now - 86400 * 23 | todate[:10]) as $from | (now - 86400 * 10 | todate[:10]) as $until | {
  requestPath: "/v1/smart-boundary/\($job)",
  partnerRequestBody: {
    partyId, resourceType: "Farm", resourceId: .farmId,
    imageStartDate: $from, imageEndDate: $until, pointOnSurface
  }
}' "$FILE")" > /dev/null

while ANSWER=$(call fetch "{\"requestPath\":\"/v1/smart-boundary/$JOB\"}") && STATUS=$(jq -r .status <<< "$ANSWER") &&
  [[ $STATUS == WAITING || $STATUS == RUNNING ]]; do
  sleep 2
done
jq -r '"\(.status): \(.message)"' <<< "$ANSWER"

curl -sS --fail-with-body "$URL/v1/insights/$(jq -r .insightId <<< "$ANSWER")" \
  -H "Authorization: Bearer $TOKEN" -H 'Accept: application/geo+json' -o boundary.geojson
echo 'The boundary is in boundary.geojson.'
