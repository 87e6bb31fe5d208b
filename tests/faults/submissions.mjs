// Enrollments as customers submit them.

const DAY_MS = 86_400_000;
/** Near the seeded farm; small squares side by side. */
const [WEST, SOUTH, SIDE] = [-92.985, 41.502, 0.004];

const squareAt = (index) => {
  const west = WEST + (index % 20) * 2 * SIDE;
  const south = SOUTH + Math.floor(index / 20) * 2 * SIDE;
  return [
    [west, south],
    [west + SIDE, south],
    [west + SIDE, south + SIDE],
    [west, south + SIDE],
    [west, south],
  ];
};

/** Square fields of these ids as GeoJSON. */
export const squareFields = (fieldIds) => ({
  type: 'FeatureCollection',
  features: fieldIds.map((fieldId, index) => ({
    type: 'Feature',
    properties: { field_id: fieldId },
    geometry: { type: 'Polygon', coordinates: [squareAt(index)] },
  })),
});

/** A submission as a form. @param options as those of `submission` */
export function submissionForm({ fieldIds, geojson = squareFields(fieldIds), layers = ['ndvi'], startDate, endDate }) {
  const ahead = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
  const request = {
    image_source: 'sentinel-2-l2a',
    start_date: startDate ?? ahead,
    end_date: endDate ?? ahead,
    layers: layers.map((layer) => ({ layer })),
  };
  const form = new FormData();
  form.append('request', new Blob([JSON.stringify(request)], { type: 'application/json' }), 'request.json');
  form.append('geojson', new Blob([JSON.stringify(geojson)], { type: 'application/geo+json' }), 'fields.geojson');
  return form;
}

/**
 * Submits an enrollment of square fields, remembered as `submit`.
 *
 * @param options `fieldIds`; `key` to repeat it under; `geojson` instead of squares; `startDate`, `endDate` (ahead of today by a month when left
 *   out: ingest only, no imagery); `layers`; `host`
 */
export function submission(client, { apiKey }, options) {
  const { fieldIds, host, key } = options;
  const form = submissionForm(options);
  return client.call('submit', '/v1/enrollments', {
    id: fieldIds?.[0],
    method: 'POST',
    form,
    headers: { 'api-key': apiKey, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    host,
  });
}
