/** What the files of `functions/` declare their functions with: each is handed the services. */
import { routeFor, type Route } from '../http/route.js';
import type { Services } from './services.js';
import type { FunctionTable } from '../http/triggers/triggerTable.js';
import type { TimerFunction } from '../http/triggers/timerFunction.js';
import type { Duty } from '../work/upkeep/duty.js';

export type ServiceRoute = Route<Services>;

export type ServiceTable = FunctionTable<Services>;

export const route = routeFor<Services>();

/** Declares a function that a timer triggers. */
export const timerFunction = (definition: TimerFunction<Services>): TimerFunction<Services> => definition;

/** What the service does at fixed times as work, on none of the host's timers. */
export type ServiceDuty = Duty<Services>;

/** Declares a duty of the service. */
export const serviceDuty = (definition: ServiceDuty): ServiceDuty => definition;
