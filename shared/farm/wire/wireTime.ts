const FORM = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})?$/;

/**
 * The instant of a time as clients write it: RFC 3339 with or without a fraction, in any offset; without one it is UTC, as
 * generated C# clients send it. Fractions of a second are cut off.
 *
 * @returns milliseconds since 1970 UTC; undefined for a text that is no time, or a day that no calendar has
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 */
export function wireInstantOf(text: string): number | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '', zone = 'Z'] = match;
  const [civil, offsetMs] = [civilTime(`${day}T${time}Z`), offsetMsOf(zone)];
  return civil === undefined || offsetMs === undefined ? undefined : civil - offsetMs;
}

/** Undefined for a day that no calendar has, and for hours, minutes or seconds beyond the last. */
function civilTime(text: string): number | undefined {
  const at = Date.parse(text);
  // The parser takes 30 February for 2 March.
  return Number.isNaN(at) || wireTime(at) !== text ? undefined : at;
}

function offsetMsOf(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** An instant as the wire has it: `yyyy-MM-ddTHH:mm:ssZ`. @param at milliseconds since 1970 UTC */
export const wireTime = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
