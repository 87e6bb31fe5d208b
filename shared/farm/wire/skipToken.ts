import { hash } from 'node:crypto';
import { invalidRequest } from './resourceRules.js';

const VERSION = 1;

/** The list that a token goes on with: its route and its filters, in one text. */
const markOf = (list: readonly unknown[]): string => hash('sha256', JSON.stringify(list), 'base64url').slice(0, 16);

/**
 * A token that goes on with a list behind a position. It holds no authority: whose list it is follows from the caller's
 * credential.
 */
export function skipTokenOf(list: readonly unknown[], position: readonly string[]): string {
  return Buffer.from(JSON.stringify([VERSION, markOf(list), ...position]), 'utf8').toString('base64url');
}

/** The position in a token. @throws ServiceError 400 for one of another list, or with other filters */
export function positionIn(list: readonly unknown[], token: string): readonly string[] {
  const [version, mark, ...position] = partsOf(token);
  const isOurs = version === VERSION && mark === markOf(list) && position.every((part) => typeof part === 'string');
  if (isOurs) return position;
  throw invalidRequest('skipToken is not of this list with these filters. Begin the list anew without it.');
}

function partsOf(token: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return []; // no token of ours
  }
}
