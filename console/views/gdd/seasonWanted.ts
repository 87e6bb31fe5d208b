/** What is asked for. */
export interface SeasonWanted {
  readonly partyId: string;
  /** Only narrows the choice of fields; empty for all farms of the party. */
  readonly farmId: string;
  readonly fieldId: string;
  /** A field of the map in place of `fieldId`; it becomes a field of the farm once its season is asked for. */
  readonly mapField?: string | undefined;
  readonly crop: string;
  readonly from: string;
  readonly to: string;
  readonly startEvent: string;
  readonly unit: 'c' | 'f';
}
