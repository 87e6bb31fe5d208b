import type { ServiceFile } from '../serviceFile.js';

/** A job as a fetch answers it, as far as the demo looks. */
export interface DemoJob {
  readonly status: string;
  readonly message: string;
  readonly insightId?: string;
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
}
