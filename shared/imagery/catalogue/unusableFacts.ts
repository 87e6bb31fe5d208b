/** Items that a log line names. */
const MOST_NAMED = 10;
/** Characters of an id that it tells. */
const LONGEST_NAME = 100;

/** What a log line tells of items that no image can be made of: their number, and the first ten ids. */
export const unusableFacts = (ids: readonly string[]): Readonly<Record<string, unknown>> => ({
  unusable: ids.length,
  ...(ids.length === 0 ? {} : { unusableIds: ids.slice(0, MOST_NAMED).map((id) => id.slice(0, LONGEST_NAME)) }),
});
