import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { call, callJson } from './client.js';

/** The insight of a degree-day job. @throws ApiError */
export const readGddInsight = (insightId: string, signal?: AbortSignal): Promise<GddRecord> =>
  callJson<GddRecord>({ path: `/v1/insights/${encodeURIComponent(insightId)}`, as: 'token', signal });

/** An insight as a file of the type asked for. @throws ApiError */
export async function readInsightFile(insightId: string, accept: string, signal?: AbortSignal): Promise<Blob> {
  return (await call({ path: `/v1/insights/${encodeURIComponent(insightId)}`, as: 'token', accept, signal })).blob();
}
