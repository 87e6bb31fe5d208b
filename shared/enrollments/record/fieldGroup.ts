import { holdsInvisibleBesideJoiners, noInvisible } from '../../kit/validation/invisibleCharacters.js';

/** Longest group of a field in UTF-16 units, as a longest field id. */
export const MOST_GROUP_UNITS = 128;

/**
 * What is wrong with the group of a field, such as its farm or its grower, or undefined. Groups are compared letter by letter,
 * so none may look like another; an empty one is none.
 */
export function groupFault(group: string): string | undefined {
  if (group.length > MOST_GROUP_UNITS) return `has ${group.length} characters; at most ${MOST_GROUP_UNITS} are allowed`;
  if (holdsInvisibleBesideJoiners(group)) return noInvisible;
  if (group.trim() !== group) return 'must not begin or end with a space';
  if (group.normalize('NFC') !== group) return 'must be in Unicode normalization form NFC';
  return undefined;
}
