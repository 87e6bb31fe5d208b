/** Items that a log line names. */
const MOST_NAMED = 10;
/** Characters of a catalogue's text that are told. */
const LONGEST_TEXT = 100;

/** The beginning of a text that comes from a catalogue, for messages and log lines. */
export const cutText = (text: string): string => text.slice(0, LONGEST_TEXT);

/** What a log line tells of items that no image can be made of: their number, and the first ten ids. */
export const unusableFacts = (ids: readonly string[]): Readonly<Record<string, unknown>> => ({
  unusable: ids.length,
  ...(ids.length === 0 ? {} : { unusableIds: ids.slice(0, MOST_NAMED).map(cutText) }),
});
