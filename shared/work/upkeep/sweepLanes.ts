import { errorText } from '../../kit/telemetry/telemetry.js';
import { nameOf, namesOfLane, type Holder, type LaneState } from '../lanes/lane.js';
import type { LaneStore } from '../lanes/laneStore.js';
import type { Lanes } from '../lanes/lanes.js';
import { queueProgress, resend, type SweepWorkPorts } from './sweepWork.js';
import { isClaimable, LOST_MESSAGE_MS, wantsSlot } from '../item/workItem.js';

export interface SweepLanesPorts extends SweepWorkPorts {
  readonly lanes: Pick<Lanes, 'wait' | 'fill'>;
  readonly laneStore: LaneStore;
}

/** Between two looks at an item that has a slot and lives. */
const HOLDER_LOOK_MS = 5 * LOST_MESSAGE_MS;

/**
 * Looks after every lane in which somebody has a slot: who is done leaves it, who has got a slot and no message gets one,
 * and free slots are given. @returns how many lanes there are, and how many slots were found left behind
 */
export const sweepLanes = (ports: SweepLanesPorts) => async (): Promise<{ lanes: number; left: number }> => {
  const lanes = await ports.laneStore.list();
  const servedUntil = queueProgress(ports.queues, ports.clock.now().getTime());
  let left = 0;
  for (const { lane, state } of lanes) {
    try {
      left += await sweepLane(ports, { lane, state, servedUntil });
    } catch (error) {
      // One lane's trouble is not another's.
      ports.log('Lane:SweepFailed', { ...namesOfLane(lane), cause: errorText(error) });
    }
  }
  return { lanes: lanes.length, left };
};

interface LaneSweep {
  readonly lane: string;
  readonly state: LaneState;
  readonly servedUntil: ReturnType<typeof queueProgress>;
}

/** @returns how many slots were found left behind */
async function sweepLane(ports: SweepLanesPorts, { lane, state, servedUntil }: LaneSweep): Promise<number> {
  const gone = new Set<string>();
  const checks = new Map<string, number>();
  for (const holder of state.holders) {
    if (holder.checkAt > (await servedUntil(holder))) continue;
    if (await needsSlot(ports, lane, holder)) {
      checks.set(nameOf(holder), ports.clock.now().getTime() + HOLDER_LOOK_MS);
    } else gone.add(nameOf(holder));
  }
  await ports.lanes.fill(lane, { gone, checks });
  return gone.size;
}

/** Whether an item that has a slot has a use for it; one that should have got its message gets it again. */
async function needsSlot(ports: SweepLanesPorts, lane: string, holder: Holder): Promise<boolean> {
  const stored = await ports.store.find(holder);
  const now = ports.clock.now().getTime();
  if (stored === undefined || !wantsSlot(stored.item, lane, now)) return false;
  if (stored.item.parked?.lane === lane && isClaimable(stored.item, now)) await resend(ports, stored);
  return true;
}
