import { laneKindOf } from './lane.js';
import { ownerOf, type WorkItem } from '../item/workItem.js';

/** So many messages are handled when the host still fetches others: `newBatchThreshold` of host.json. */
const FREE = 2;

interface Seat {
  readonly owner: string;
  /** Whether its item stands in a lane of the slow. */
  readonly isSlow: boolean;
}

/**
 * The attempts of one process at work that waits for somebody outside, each in a seat. Two attempts that wait long leave
 * the host fetching messages, a third one stops it. So behind the second seat others are for whoever has none, and for one
 * of the slow at a time: neither one owner nor the slow together stop the work of all.
 */
export class Seats {
  readonly #taken = new Set<Seat>();

  /** @returns what gives the seat back; undefined when there is none for the item now */
  take(item: WorkItem): (() => void) | undefined {
    const isSlow = item.lanes?.some((lane) => laneKindOf(lane) === 'slow') ?? false;
    const seat = { owner: ownerOf(item), isSlow };
    const isInTheWay = (other: Seat): boolean => other.owner === seat.owner || (other.isSlow && isSlow);
    if (this.#taken.size >= FREE && [...this.#taken].some(isInTheWay)) return undefined;
    this.#taken.add(seat);
    return () => void this.#taken.delete(seat);
  }
}
