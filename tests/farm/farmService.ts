import { HttpRequest } from '@azure/functions';
import { functionTable } from '../../functions/functionTable.js';
import { createRouter } from '../../infra/local/functionsHost/router.js';
import type { Role } from '../../shared/access/auth/roles.js';
import { handleRequest } from '../../shared/http/handleRequest.js';
import { UploadSlots } from '../../shared/access/rates/uploadSlots.js';
import type { LimitRate } from '../../shared/access/rates/limitRate.js';
import type { Services } from '../../shared/wiring/services.js';
import { servedRoutes } from '../../shared/http/triggers/triggerTable.js';
import type { FarmWorld } from './farmWorld.js';
import type { Mortal } from './mortal.js';

const served = servedRoutes(functionTable);

/** Every function of the service, found as the host finds it: by name, the first that fits. */
export const routerOfHost = createRouter(
  '',
  served.map(({ route, methods }) => ({
    name: route.name,
    route,
    trigger: { route: route.path, methods: [...methods] } as never,
  })),
  (name, why) => {
    throw new Error(`${name} ${why}`);
  },
);

export interface CallerInTests {
  readonly tenant: string;
  readonly roles?: readonly Role[];
}

export interface SentInTests {
  /** A text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the host sees the request come in. */
  readonly origin?: string;
}

/** Members that answers have, each of those that have it. */
export interface AnswerInTests {
  readonly error: { readonly code: string; readonly message: string };
  readonly value: readonly unknown[];
  readonly skipToken: string;
  readonly nextLink: string;
  readonly attachmentsLink: string;
  readonly status: string;
}

export interface FarmServiceOptions {
  /** Lies between the service and its storage. */
  readonly between?: Mortal;
  readonly publicUrl?: string;
  readonly limitRate?: LimitRate;
}

/** The operations on farm data as the host serves them, over storage in memory; tokens are checked elsewhere. */
export function farmService(world: FarmWorld, options: FarmServiceOptions = {}) {
  const { between, publicUrl, limitRate = () => Promise.resolve() } = options;
  const process = world.process(between);
  return async (caller: CallerInTests, method: string, target: string, sent: SentInTests = {}) => {
    const { tenant, roles = ['Farm.ReadWrite'] } = caller;
    const { body, headers = {}, origin = 'https://host' } = sent;
    const services = {
      clock: world.clock,
      config: { PUBLIC_URL: publicUrl, CONSOLE: true },
      uploadSlots: new UploadSlots(1),
      verifyToken: () => Promise.resolve({ tenant, objectId: 'someone', roles }),
      limitRate,
      farm: { ...process, sweepUp: () => Promise.resolve() },
    } as unknown as Services;
    const url = new URL(target, origin);
    const found = routerOfHost(method, decodedOnce(url.pathname));
    if (found === undefined) throw new Error(`No function answers ${method} ${target}.`);
    const request = new HttpRequest({
      ...{ method, url: url.href, params: { ...found.params } },
      headers: { ...typeOf(method, body), ...headers },
      query: Object.fromEntries(url.searchParams),
      ...(body === undefined ? {} : { body: { string: textOf(body) } }),
    });
    const answer = await handleRequest(found.function.route, request, { services, write: () => undefined });
    const text = Buffer.from((answer.body ?? '') as string | Buffer).toString('utf8');
    const json = JSON.parse(text.startsWith('{') ? text : '{}') as AnswerInTests;
    return { status: answer.status ?? 0, json, headers: answer.headers as Record<string, string> };
  };
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** As the host hands paths to functions: slashes stay escaped. */
const decodedOnce = (path: string): string =>
  path
    .split(/(%2F)/i)
    .map((part, k) => (k % 2 === 1 ? part : decodeURIComponent(part)))
    .join('');

function typeOf(method: string, body: unknown): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
}
