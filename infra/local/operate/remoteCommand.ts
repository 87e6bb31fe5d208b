import { setTimeout as pause } from 'node:timers/promises';

/** A command for a service that runs. */
export interface RemoteCommand {
  readonly command: string;
  readonly target?: Readonly<Record<string, string | number>>;
  readonly dryRun?: boolean;
}

export interface RemoteService {
  readonly url: string;
  readonly token: string;
  /** Tells the operator what is going on, beside the result. */
  readonly say: (line: string) => void;
  readonly fetch?: typeof fetch;
  readonly pauseMs?: number;
}

/** A long command is looked at so often. */
const PAUSE_MS = 5_000;

interface Operation {
  readonly operationId: string;
  readonly status: string;
  readonly result: unknown;
  readonly message: string | null;
}

/**
 * Has a service carry a command out, and waits for the end of a long one. Whoever ends the program does not end the command.
 *
 * @returns what came of it
 * @throws Error with the service's own words
 */
export async function remoteCommand(
  service: RemoteService,
  { command, target, dryRun }: RemoteCommand,
  reason: string,
): Promise<unknown> {
  const asked = {
    command,
    ...(target === undefined ? {} : { target }),
    reason,
    ...(dryRun === true ? { dryRun } : {}),
  };
  let operation = (await ask(service, 'commands', asked)) as Operation;
  if (operation.status === 'Running') {
    service.say(`Under way as ${operation.operationId}; the service goes on without this program.`);
  }
  while (operation.status === 'Running') {
    await pause(service.pauseMs ?? PAUSE_MS);
    operation = (await ask(service, `operations/${operation.operationId}`)) as Operation;
  }
  if (operation.status === 'Done') return operation.result;
  throw new Error(`${operation.status}: ${operation.message ?? 'give the command again.'}`);
}

/** The state of the service. */
export const remoteState = (service: RemoteService): Promise<unknown> => ask(service, 'state');

async function ask({ url, token, fetch: send = fetch }: RemoteService, path: string, body?: object): Promise<unknown> {
  const answer = await send(new URL(`/operate/v1/${path}`, url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text) as unknown;
  throw new Error(`${answer.status}: ${messageIn(text) ?? 'The service gave no reason; is --url its address?'}`);
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly error?: { readonly message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}
