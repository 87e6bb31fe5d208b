import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import type { Call } from './calls.js';
import type { ServiceFile } from './runningService.js';

const FIELDS = 250;
/** Bytes of one position with 12 decimals, and of a feature around its outline. */
const POSITION_BYTES = 34;
const FEATURE_BYTES = 400;

/** Nothing is ever to be seen in the past of this period, so that no imagery is looked for. */
export const uploadRequest = JSON.stringify({
  image_source: 'sentinel-2-l2a',
  start_date: '2017-04-01',
  end_date: '2017-04-02',
  layers: [{ layer: 'ndvi' }],
});

/** 250 fields of wavy outline, with 12 decimals, that together have about as many bytes. */
export function wavyFields(mark: string, bytes: number): string {
  const positions = Math.max(8, Math.floor((bytes / FIELDS - FEATURE_BYTES) / POSITION_BYTES));
  const features = Array.from({ length: FIELDS }, (_, field) => {
    const outline = Array.from({ length: positions }, (_position, index) => {
      const angle = (index / positions) * 2 * Math.PI;
      const radius = 1 + 0.1 * Math.sin(7 * angle);
      const longitude = 13 + (field % 50) * 0.02 + 0.006 * radius * Math.cos(angle);
      const latitude = 48 + Math.floor(field / 50) * 0.02 + 0.004 * radius * Math.sin(angle);
      return `[${longitude.toFixed(12)},${latitude.toFixed(12)}]`;
    });
    const ring = [...outline, outline[0] ?? ''].join(',');
    return `{"type":"Feature","properties":{"field_id":"${mark}-${field}"},"geometry":{"type":"Polygon","coordinates":[[${ring}]]}}`;
  });
  return `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
}

/** A submission whose boundaries have about as many bytes. */
export function submitCall({ apiKey }: ServiceFile, mark: string, bytes: number): Call {
  return submissionCall(apiKey, uploadRequest, wavyFields(mark, bytes));
}

/** A submission of given parts. */
export const submissionCall = (apiKey: string, metadata: string, geojson: string): Call => ({
  method: 'POST',
  path: '/v1/enrollments',
  headers: { 'api-key': apiKey, 'content-type': multipartType() },
  body: new Uint8Array(multipartBody(submissionParts(metadata, geojson))),
  expected: 202,
});
