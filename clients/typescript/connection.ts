export interface ClientOptions {
  /** Of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** Gives a token that is good now; asked before each call about jobs, insights and farm data. */
  readonly token?: () => string | Promise<string>;
  /** For enrollments and storage. */
  readonly apiKey?: string;
  /** Where the files lie; `https://{account}.blob.core.windows.net` unless told. */
  readonly blobEndpoint?: string;
}

/** The service has refused; its own words are the message. */
export class Refusal extends Error {
  readonly status: number;
  /** Such as `Unauthorized` or `EnrollmentNotFound`: docs/errors.md has them all. */
  readonly code: string | null;
  /** Names the request in the log of the service. */
  readonly requestId: string | null;

  constructor({ status, headers }: Response, text: string) {
    super(`${status}: ${text}`);
    this.name = 'Refusal';
    this.status = status;
    this.code = headers.get('x-ms-error-code');
    this.requestId = headers.get('x-ms-request-id');
  }
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each try. */
  readonly body?: () => string | Blob | ReadableStream<Uint8Array>;
}

const TRIES = 6;
const BUSY = [429, 503];

export const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** When to come back, as the answer says. */
export const retryAfterSeconds = ({ headers }: Response): number => Number(headers.get('retry-after') ?? 2);

/** Calls the service with a token or a key. What it is too busy for is asked again when it says so. */
export class Connection {
  readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /** @throws Refusal */
  async withToken(path: string, call: Call = {}): Promise<Response> {
    const { token } = this.options;
    if (token === undefined) throw new Error('Jobs, insights and farm data want the option `token`.');
    return this.#send(path, call, { authorization: `Bearer ${await token()}` });
  }

  /** @throws Refusal */
  async withKey(path: string, call: Call = {}): Promise<Response> {
    const { apiKey } = this.options;
    if (apiKey === undefined) throw new Error('Enrollments and storage want the option `apiKey`.');
    return this.#send(path, call, { 'api-key': apiKey });
  }

  async #send(path: string, { method = 'GET', headers, body }: Call, credential: Record<string, string>) {
    for (let tries = 1; ; tries += 1) {
      const answer = await fetch(`${this.options.baseUrl}${path}`, {
        method,
        headers: { ...headers, ...credential },
        ...(body && { body: body(), duplex: 'half' }),
      });
      if (answer.ok) return answer;
      const text = await answer.text();
      if (!BUSY.includes(answer.status) || tries === TRIES) throw new Refusal(answer, text);
      await pause(retryAfterSeconds(answer));
    }
  }
}
