/** Coasts, then borders between countries, as `console/map/base/baseData.ts` reads them. */
export function baseLines(): Buffer;
/** Places with their names, as `console/map/base/baseData.ts` reads them. */
export function basePlaces(): Buffer;
