import { pause, Refusal, retryAfterSeconds, type Connection } from './connection.js';
import { isSameJob } from './sameJob.js';

/** What jobs of every kind have. */
interface AnyJob {
  readonly status: 'WAITING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly partnerRequestBody: object;
}

const OPEN: readonly AnyJob['status'][] = ['WAITING', 'RUNNING'];

/** The jobs of one solution. */
export class Jobs<Parameters extends object, Job extends AnyJob> {
  readonly #connection: Connection;
  readonly #solution: string;
  readonly #path: string;

  /** @param path of the request path of a job: `gdd` or `smart-boundary` */
  constructor(connection: Connection, solution: string, path: string) {
    this.#connection = connection;
    this.#solution = solution;
    this.#path = path;
  }

  /**
   * Queues a job under an id of yours. An id is used once: when it is taken by the very same job, that is the job, for an
   * answer may have been lost.
   */
  async create(jobId: string, parameters: Parameters): Promise<Job> {
    const create = () => this.#operate('create', jobId, { partnerRequestBody: parameters });
    const again = (error: unknown): Promise<Response> => {
      if (error instanceof Refusal) throw error;
      return create();
    };
    const answer = await create()
      .catch(again)
      .catch((refusal: unknown) => this.#takenByOwn(jobId, parameters, refusal));
    return (await answer.json()) as Job;
  }

  async fetch(jobId: string): Promise<Job> {
    return (await (await this.#operate('fetch', jobId)).json()) as Job;
  }

  async cancel(jobId: string): Promise<Job> {
    return (await (await this.#operate('cancel', jobId)).json()) as Job;
  }

  /** The job once it has ended, looked at as often as the service asks. */
  async ended(jobId: string, onStatus: (job: Job) => void = () => undefined): Promise<Job> {
    for (;;) {
      const answer = await this.#operate('fetch', jobId);
      const job = (await answer.json()) as Job;
      onStatus(job);
      if (!OPEN.includes(job.status)) return job;
      await pause(retryAfterSeconds(answer));
    }
  }

  async #takenByOwn(jobId: string, parameters: Parameters, refusal: unknown): Promise<Response> {
    if (!(refusal instanceof Refusal) || refusal.status !== 409) throw refusal;
    const answer = await this.#operate('fetch', jobId);
    const { partnerRequestBody: echo } = (await answer.clone().json()) as AnyJob;
    if (!isSameJob(parameters, echo)) throw refusal;
    return answer;
  }

  #operate(operation: string, jobId: string, more: object = {}): Promise<Response> {
    return this.#connection.withToken(`/solutions/partnerAgPowered.${this.#solution}:${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: () => JSON.stringify({ requestPath: `/v1/${this.#path}/${jobId}`, ...more }),
    });
  }
}
