import type { Services } from '../services.js';
import type { WriteLine } from '../telemetry/trace.js';

/** What an invocation has around it: the services, and its own log. */
export interface Surroundings {
  readonly services: Services;
  readonly write: WriteLine;
}
