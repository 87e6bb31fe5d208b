import type { Clock } from '../clock.js';
import { INGEST } from '../enrollments/ingestEnrollment.js';
import type { NewId } from '../ids.js';
import { MessageQueue } from '../storage/messageQueue.js';
import type { QueueName } from '../storage/names.js';
import type { Log } from '../telemetry/telemetry.js';
import { currentTraceparent } from '../telemetry/trace.js';
import { enqueuer, type EnqueuePorts, type Enqueuer } from '../work/enqueue.js';
import { handleWork } from '../work/handleWork.js';
import { resendDeadLetter, sweepWork, type SweepCount } from '../work/sweepWork.js';
import type { WorkKey } from '../work/workItem.js';
import type { WorkKind } from '../work/workKind.js';
import { WorkMessage } from '../work/workMessage.js';
import { WorkStore } from '../work/workStore.js';
import type { DataStorage } from './storageClients.js';

/** What runs the work of every kind. */
export interface WorkServices {
  /** How work comes up. */
  readonly work: Enqueuer;
  /** One attempt at the work that a message names. */
  readonly handleWork: (key: WorkKey) => Promise<void>;
  readonly sweepWork: () => Promise<SweepCount>;
  /** What becomes of work whose message the host has given up. */
  readonly resendDeadLetter: (key: WorkKey) => Promise<void>;
}

export interface WorkSurroundings {
  readonly forRequests: DataStorage;
  readonly forWork: DataStorage;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** The queue of each kind. */
const queueOf: Readonly<Record<string, QueueName>> = { [INGEST]: 'enrollment-ingest' };

function portsOf(storage: DataStorage, clock: Clock): EnqueuePorts {
  const queues = new Map(
    Object.entries(queueOf).map(([kind, queue]) => [
      kind,
      new MessageQueue(storage.messages(queue), WorkMessage, { clock, traceparent: currentTraceparent }),
    ]),
  );
  return {
    store: new WorkStore(storage.rows('work')),
    clock,
    queues: (kind) => {
      const queue = queues.get(kind);
      if (queue === undefined) throw new Error(`No queue is named for work of the kind ${kind}.`);
      return queue;
    },
  };
}

/** Builds what runs work of these kinds; nothing is called yet. */
export function workServices(kinds: readonly WorkKind[], surroundings: WorkSurroundings): WorkServices {
  const { forRequests, forWork, clock, newId, log } = surroundings;
  const ports = portsOf(forWork, clock);
  const known = new Map(kinds.map((kind) => [kind.kind, kind]));
  return {
    work: enqueuer(portsOf(forRequests, clock)),
    handleWork: handleWork({ ...ports, clock, newId, random: Math.random, log }, known),
    sweepWork: sweepWork({ ...ports, log }),
    resendDeadLetter: resendDeadLetter({ ...ports, log }),
  };
}
