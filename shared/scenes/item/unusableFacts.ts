/** Items that a log line names. */
const MOST_NAMED = 10;
/** Characters of a catalogue's text in messages and log lines. */
const LONGEST_TEXT = 100;

/** The first 100 characters of a text that comes from a catalogue, for messages and log lines. */
export const cutText = (text: string): string => text.slice(0, LONGEST_TEXT);

/** Columns of a log line for items that no image can be made of: their number, and the first ten ids. */
export const unusableFacts = (ids: readonly string[]): Readonly<Record<string, unknown>> => ({
  unusable: ids.length,
  ...(ids.length === 0 ? {} : { unusableIds: ids.slice(0, MOST_NAMED).map(cutText) }),
});
