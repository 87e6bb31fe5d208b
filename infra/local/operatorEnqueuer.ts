import { systemClock } from '../../shared/kit/clock.js';
import { workQueues } from '../../shared/wiring/areas/workServices.js';
import type { DataStorage } from '../../shared/wiring/clients/storageClients.js';
import { enqueuer, type Enqueuer } from '../../shared/work/enqueue.js';
import { LaneStore } from '../../shared/work/lanes/laneStore.js';
import { WorkStore } from '../../shared/work/item/workStore.js';

/** How an operator's command asks for work. Slots of lanes are given by the service: within three minutes. */
export function operatorEnqueuer(storage: Pick<DataStorage, 'rows' | 'messages'>): Enqueuer {
  const rows = storage.rows('work');
  const laneStore = new LaneStore(rows);
  return enqueuer({
    store: new WorkStore(rows),
    queues: workQueues(storage, systemClock, () => undefined),
    clock: systemClock,
    lanes: { wait: (lane, ticket) => laneStore.ask(lane, ticket) },
  });
}
