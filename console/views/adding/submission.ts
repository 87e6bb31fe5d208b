import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import { callJson } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import type { TriedField } from './submissionFaults.js';

/** What is wanted for the fields. */
export interface MonitoringWanted {
  readonly from: string;
  readonly to: string;
  readonly layers: readonly LayerName[];
  readonly description: string;
}

function formOf({ from, to, layers, description }: MonitoringWanted, geojson: Blob): FormData {
  const request = {
    image_source: 'sentinel-2-l2a',
    start_date: from,
    end_date: to,
    layers: layers.map((layer) => ({ layer })),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
  };
  const form = new FormData();
  form.append('request', new Blob([JSON.stringify(request)], { type: 'application/json' }), 'request.json');
  form.append('geojson', new Blob([geojson], { type: 'application/geo+json' }), 'fields.geojson');
  return form;
}

/** Has everything checked by the service, which stores nothing. @throws ApiError 422 with what is wrong */
export async function trySubmission(
  wanted: MonitoringWanted,
  geojson: Blob,
  signal: AbortSignal,
): Promise<readonly TriedField[]> {
  const body = formOf(wanted, geojson);
  const path = '/v1/enrollments?dry_run=true';
  const { fields } = await callJson<{ readonly fields: readonly TriedField[] }>({
    path,
    as: 'key',
    method: 'POST',
    body,
    isRead: true,
    signal,
  });
  return fields;
}

/**
 * Submits the fields. When the answer is lost it is asked again under the same key, which makes no second enrollment.
 *
 * @returns the enrollment's id
 * @throws ApiError
 */
export async function submit(wanted: MonitoringWanted, geojson: Blob, key: string): Promise<string> {
  const send = (): Promise<{ readonly enrollment_id: string }> =>
    callJson({
      path: '/v1/enrollments',
      as: 'key',
      method: 'POST',
      body: formOf(wanted, geojson),
      headers: { 'idempotency-key': key },
    });
  const sent = await send().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 0 && navigator.onLine) return send();
    throw error;
  });
  return sent.enrollment_id;
}
