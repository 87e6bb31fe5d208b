import type { ServiceFile } from '../serviceFile.js';

/** A job as a fetch answers it, as far as the demo looks. */
export interface DemoJob {
  readonly status: string;
  readonly message: string;
  readonly insightId?: string;
}

/** The metadata of an enrollment that the demo submits. */
export interface EnrollmentRequest {
  readonly image_source: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly layers: readonly string[];
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls the service as any caller does. */
export class DemoClient {
  readonly service: ServiceFile;

  constructor(service: ServiceFile) {
    this.service = service;
  }

  /** One operation of a solution, such as `gdd:create`. @throws Error with the answer when it is none of success */
  async operate(operation: string, body: object): Promise<DemoJob> {
    const response = await fetch(`${this.service.baseUrl}/solutions/partnerAgPowered.${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.service.jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
    return (await response.json()) as DemoJob;
  }

  /**
   * Fetches a job until it has ended.
   *
   * @param onStatus told of each status that is seen
   */
  async untilEnded(solution: string, requestPath: string, onStatus: (status: string) => void): Promise<DemoJob> {
    for (;;) {
      const job = await this.operate(`${solution}:fetch`, { requestPath });
      onStatus(job.status);
      if (job.status !== 'WAITING' && job.status !== 'RUNNING') return job;
      await pause(500);
    }
  }

  /** An insight in the representation asked for. */
  async insight(insightId: string, accept: string): Promise<string> {
    const response = await fetch(`${this.service.baseUrl}/v1/insights/${insightId}`, {
      headers: { authorization: `Bearer ${this.service.jwt}`, accept },
    });
    if (!response.ok) throw new Error(`insight ${insightId}: ${response.status} ${await response.text()}`);
    return response.text();
  }

  /** One call with the customer's key. @returns the JSON answered @throws Error with the answer unless it is success */
  async callWithKey(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await fetch(`${this.service.baseUrl}${path}`, {
      ...init,
      headers: { 'api-key': this.service.apiKey },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Submits an enrollment of the fields in a FeatureCollection. @throws Error with the answer unless it is accepted */
  async submitEnrollment(request: EnrollmentRequest, geoJson: object): Promise<void> {
    const layers = request.layers.map((layer) => ({ layer }));
    const form = new FormData();
    form.append('request', new Blob([JSON.stringify({ ...request, layers })], { type: 'application/json' }));
    form.append('geojson', new Blob([JSON.stringify(geoJson)], { type: 'application/geo+json' }));
    await this.callWithKey('/v1/enrollments', { method: 'POST', body: form });
  }
}
