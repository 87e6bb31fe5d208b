import { isSameId } from '../../../../shared/kit/ids.js';
import { isJsonObject } from '../http/exchange.js';
import type { Resource } from './resourceStore.js';
import { invalid } from './wire.js';

/** What a client may write on every resource. */
export const COMMON_MEMBERS = ['name', 'description', 'status', 'source', 'properties'];

/** What the data manager sets; in a patch they are ignored, except that ids must agree with the path. */
const READ_ONLY = ['eTag', 'createdDateTime', 'modifiedDateTime', 'createdBy', 'modifiedBy', 'attachmentsLink'];

const LONGEST: Readonly<Record<string, number>> = { name: 100, description: 500, status: 100, source: 100 };
const MOST_PROPERTIES = 25;
const LONGEST_KEY = 50;
const LONGEST_VALUE = 150;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/**
 * The writable part of a patch.
 *
 * @param fixed what the path says; a patch may repeat it but not contradict it
 */
export function writablePart(patch: Resource, members: readonly string[], fixed: Resource): Resource {
  for (const [name, value] of Object.entries(fixed)) {
    if (name in patch && !isSameId(String(patch[name]), String(value)))
      throw invalid(`${name} of the body differs from the path.`);
  }
  const ignored = new Set([...Object.keys(fixed), ...READ_ONLY]);
  const entries = Object.entries(patch).filter(([name]) => !ignored.has(name));
  for (const [name] of entries) {
    if (!members.includes(name)) throw invalid(`The member ${name} is unknown.`);
  }
  return Object.fromEntries(entries);
}

/** Refuses a resource whose common members break the product's limits. */
export function checkCommonMembers(resource: Resource): void {
  for (const [name, longest] of Object.entries(LONGEST)) {
    const value = resource[name];
    if (value !== undefined && !(typeof value === 'string' && value.length <= longest)) {
      throw invalid(`${name} must be a text of at most ${longest} characters.`);
    }
  }
  checkProperties(resource['properties']);
}

function checkProperties(properties: unknown): void {
  if (properties === undefined) return;
  if (!isJsonObject(properties)) throw invalid('properties must be an object.');
  const pairs = Object.entries(properties);
  if (pairs.length > MOST_PROPERTIES) throw invalid(`properties holds at most ${MOST_PROPERTIES} pairs.`);
  for (const [key, value] of pairs) {
    const isScalar = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
    if (!isScalar || key.length > LONGEST_KEY || String(value).length > LONGEST_VALUE) {
      throw invalid(`A property is text or number, key ≤ ${LONGEST_KEY}, value ≤ ${LONGEST_VALUE} characters.`);
    }
  }
}

/** Refuses a time that is not written `yyyy-MM-ddTHH:mm:ssZ` or does not exist. */
export function checkInstant(name: string, value: unknown): void {
  const isInstant = typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));
  if (!isInstant) throw invalid(`${name} must have the form yyyy-MM-ddTHH:mm:ssZ.`);
}
