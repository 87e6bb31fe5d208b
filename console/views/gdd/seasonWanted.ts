/** What is asked for. */
export interface SeasonWanted {
  readonly partyId: string;
  /** Only narrows the choice of fields; empty for all farms of the party. */
  readonly farmId: string;
  readonly fieldId: string;
  readonly crop: string;
  readonly from: string;
  readonly to: string;
  readonly startEvent: string;
  readonly unit: 'c' | 'f';
}
