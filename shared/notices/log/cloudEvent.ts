import { schemaNameOf, type Notice } from './notice.js';

/** A notice with its place in the log of its owner. */
export interface Placed {
  readonly notice: Notice;
  readonly sequence: number;
}

/** Digits of a place: a log begins at the milliseconds since 1970, so that places of a log that was lost are lower. */
const DIGITS = 13;

/** A place as text; texts sort as places do. */
export const sequenceText = (sequence: number): string => String(sequence).padStart(DIGITS, '0');

/**
 * The event as it is sent, to the byte: CloudEvents 1.0, structured JSON, with the place as extension `sequence`.
 *
 * @param source address of the service
 */
export function cloudEventOf({ notice, sequence }: Placed, source: string): string {
  const { id, type, subject, time, data } = notice;
  return JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time,
    datacontenttype: 'application/json',
    dataschema: `${source}/schemas/events/${schemaNameOf(type)}.v1.json`,
    sequence: sequenceText(sequence),
    data,
  });
}
