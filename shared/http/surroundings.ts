import type { OperatorRole } from '../access/auth/roles.js';
import type { TokenCaller, VerifyToken } from '../access/auth/verifyToken.js';
import type { Clock } from '../kit/clock.js';
import type { JsonText, ParsedJson } from '../kit/json/jsonText.js';
import type { LimitRate } from '../access/rates/limitRate.js';
import type { UploadSlots } from '../access/rates/uploadSlots.js';
import type { WriteLine } from '../kit/telemetry/trace.js';

/** What serving any request takes, whatever its operation does. */
export interface RequestPorts {
  readonly config: { readonly PUBLIC_URL?: string | undefined; readonly CONSOLE: boolean };
  readonly clock: Clock;
  /** The tenant an `Authorization` header speaks for, and what it may do. */
  readonly verifyToken: (authorization: string | null) => Promise<TokenCaller>;
  /** Who an `Authorization` header speaks for that operates the service. */
  readonly verifyOperator: VerifyToken<OperatorRole>;
  /** The customer of an `Api-Key` header. */
  readonly checkApiKey: (header: string | null) => Promise<string>;
  readonly limitRate: LimitRate;
  readonly uploadSlots: UploadSlots;
  /** Reads a large JSON body beside the event loop. */
  readonly parseBeside: (text: JsonText) => Promise<ParsedJson>;
}

/** What an invocation has around it: the services, and its own log. */
export interface Surroundings<S> {
  readonly services: S;
  readonly write: WriteLine;
}
