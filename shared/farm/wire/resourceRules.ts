import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { isJsonObject } from '../../kit/json/json.js';
import { isSameKey } from '../land/land.js';

/** A body or a resource as the wire has it. */
export type WireObject = Readonly<Record<string, unknown>>;

/** What a caller writes on every kind of resource. */
export const commonMembers = ['name', 'description', 'status', 'source', 'properties'] as const;

/** What the service sets; clients send whole resources back, so these members of a body are ignored. */
const READ_ONLY = [
  ...['id', 'partyId', 'eTag', 'createdDateTime', 'createdBy', 'modifiedDateTime', 'modifiedBy'],
  ...['modelId', 'resourceType', 'resourceId', 'attachmentsLink'],
  // Of the version of 2022.
  ...['boundaryIds', 'primaryBoundaryId'],
];

/** Fewest and most characters of each text. */
const LENGTHS = { name: [0, 100], description: [0, 500], status: [0, 100], source: [2, 100] } as const;
const MOST_PROPERTIES = 25;
const MOST_KEY_CHARACTERS = 50;
const MOST_VALUE_CHARACTERS = 150;

export const invalidRequest = (text: string): ServiceError => new ServiceError(farmFaults.invalidRequest, text);

/**
 * The members of a body that a caller may write.
 *
 * @param fixed what the path says: a body may repeat it and may not contradict it
 * @throws ServiceError 400 for a member that the resource does not have
 */
export function writablePart(body: WireObject, members: readonly string[], fixed: WireObject): WireObject {
  for (const [name, value] of Object.entries(fixed)) {
    const given = body[name] ?? undefined;
    if (given !== undefined && !(typeof given === 'string' && isSameKey(given, String(value)))) {
      throw invalidRequest(`${name} of the body is not that of the path. Leave it out, or send it to its own path.`);
    }
  }
  const entries = Object.entries(body).filter(([name]) => !READ_ONLY.includes(name));
  const unknown = entries.find(([name]) => !members.includes(name))?.[0];
  if (unknown !== undefined) {
    throw invalidRequest(`${unknown.slice(0, 64)} is no member of this resource, which has ${members.join(', ')}.`);
  }
  return Object.fromEntries(entries);
}

/** @throws ServiceError 400 when a member that every resource has breaks its limit */
export function checkCommonMembers(resource: WireObject): void {
  for (const [name, [fewest, most]] of Object.entries(LENGTHS)) {
    const value = resource[name];
    const fits = typeof value === 'string' && value.length >= fewest && value.length <= most;
    if (value !== undefined && !fits)
      throw invalidRequest(`${name} must be a text of ${fewest} to ${most} characters.`);
  }
  checkProperties(resource['properties']);
}

function checkProperties(properties: unknown): void {
  if (properties === undefined) return;
  if (!isJsonObject(properties)) throw invalidRequest('properties must be an object.');
  const pairs = Object.entries(properties);
  if (pairs.length > MOST_PROPERTIES) {
    throw invalidRequest(`properties has ${pairs.length} pairs; at most ${MOST_PROPERTIES} are stored.`);
  }
  for (const [key, value] of pairs) {
    const isScalar = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
    if (isScalar && key.length <= MOST_KEY_CHARACTERS && String(value).length <= MOST_VALUE_CHARACTERS) continue;
    throw invalidRequest(
      `properties.${key.slice(0, 64)} must be a text or a number of at most ${MOST_VALUE_CHARACTERS} characters, its key at most ${MOST_KEY_CHARACTERS}.`,
    );
  }
}
