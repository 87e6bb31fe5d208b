#!/usr/bin/env bash
# Growing degree days of last year's corn on one field. Needs curl and jq.
set -euo pipefail
FILE=${SERVICE_FILE:-${LOCAL_DIR:-.local}/service.json}
URL=$(jq -r .baseUrl "$FILE") TOKEN=$(jq -r .jwt "$FILE")
JOB=example-$(date +%s) YEAR=$(($(date +%Y) - 1))

call() { # operation, body
  curl -sS --fail-with-body "$URL/solutions/partnerAgPowered.gdd:$1" \
    -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "$2"
}

call create "$(jq -c --arg job "$JOB" --arg year "$YEAR" '{
  requestPath: "/v1/gdd/\($job)",
  partnerRequestBody: {
    partyId, resourceType: "Field", resourceId: .fieldIds[0],
    crop: "CORN", gddStartDate: "\($year)-05-01", gddEndDate: "\($year)-09-30"
  }
}' "$FILE")" > /dev/null

while ANSWER=$(call fetch "{\"requestPath\":\"/v1/gdd/$JOB\"}") && STATUS=$(jq -r .status <<< "$ANSWER") &&
  [[ $STATUS == WAITING || $STATUS == RUNNING ]]; do
  sleep 2
done
jq -r '"\(.status): \(.message)"' <<< "$ANSWER"

INSIGHT=$URL/v1/insights/$(jq -r .insightId <<< "$ANSWER")
curl -sS --fail-with-body "$INSIGHT" -H "Authorization: Bearer $TOKEN" |
  jq -r '"\(.total) °\(.temperatureUnit)·day in \(.days) days"'
curl -sS --fail-with-body "$INSIGHT" -H "Authorization: Bearer $TOKEN" -H 'Accept: image/svg+xml' -o gdd.svg
echo 'The chart is in gdd.svg.'
