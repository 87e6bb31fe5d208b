/** A farm by its ids. */
export interface FarmIds {
  readonly partyId: string;
  readonly farmId: string;
}

const KEPT = 'field-console-farms';
const MOST = 10;

/** The last farms that were used in this tab, the newest first. */
export function recentFarms(): readonly FarmIds[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as readonly FarmIds[];
  } catch {
    return []; // Storage is switched off, or was written by something else.
  }
}

/** Remembers a farm for this tab. */
export function rememberFarm(farm: FarmIds): void {
  const others = recentFarms().filter(({ partyId, farmId }) => partyId !== farm.partyId || farmId !== farm.farmId);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([farm, ...others].slice(0, MOST)));
  } catch {
    // Storage is switched off: the ids are typed again.
  }
}
