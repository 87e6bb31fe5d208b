import { holdsInvisible, noInvisible } from '../../kit/validation/invisibleCharacters.js';

/** Longest field id in UTF-16 units: a storage path segment takes 255. */
const MAX_UNITS = 128;
/** What a path cannot have. */
export const FORBIDDEN_IN_ID = /[/\\?#%*:|"<>]/;
const EDGE = /^[\s.]|[\s.]$/u;

/**
 * What is wrong with a field id, or undefined. An accepted id is a segment of storage paths as it is: nothing is trimmed,
 * folded or escaped later.
 */
export function fieldIdFault(fieldId: string): string | undefined {
  if (fieldId.length < 1 || fieldId.length > MAX_UNITS) return `must have 1 to ${MAX_UNITS} characters`;
  if (FORBIDDEN_IN_ID.test(fieldId)) return 'must not hold any of / \\ ? # % * : | " < >';
  if (holdsInvisible(fieldId)) return noInvisible;
  if (EDGE.test(fieldId)) return 'must not begin or end with a space or a dot';
  if (fieldId.normalize('NFC') !== fieldId) return 'must be in Unicode normalization form NFC';
  return undefined;
}

/** The ids of an enrollment must differ in this form too, since some file systems ignore the letter case. */
export const foldedFieldId = (fieldId: string): string => fieldId.toUpperCase().toLowerCase();
