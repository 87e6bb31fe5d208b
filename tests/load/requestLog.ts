import { existsSync, readFileSync } from 'node:fs';
import { tableNames } from '../../shared/storage/names.js';

/** Storage requests of the functions host, by what they are billed as. */
export interface RequestCount {
  readonly tableReads: number;
  /** Single writes and transactions. */
  readonly tableWrites: number;
  /** Messages sent, received or deleted; looks that may have found nothing are not among them. */
  readonly queue: number;
  readonly blobReads: number;
  readonly blobWrites: number;
  /** Looks into queues. */
  readonly looks: number;
}

type Kind = keyof RequestCount;

const isTable = (path: string): boolean => new RegExp(`^/\\w+/(?:\\$batch|(?:${tableNames.join('|')})\\b)`).test(path);

function kindOf(line: string): Kind {
  const [method = '', path = ''] = line.split(' ');
  if (isTable(path)) return method === 'GET' ? 'tableReads' : 'tableWrites';
  if (path.includes('/messages')) return method === 'GET' ? 'looks' : 'queue';
  return method === 'GET' || method === 'HEAD' ? 'blobReads' : 'blobWrites';
}

/** What the lines of tools/smoke/countRequests.mjs come to. */
export function countRequests(lines: readonly string[]): RequestCount {
  const count = { tableReads: 0, tableWrites: 0, queue: 0, blobReads: 0, blobWrites: 0, looks: 0 };
  for (const line of lines) count[kindOf(line)] += 1;
  return count;
}

/** All but the looks into queues, which cost the same whatever is asked. */
export const totalOf = ({ looks: _looks, ...rest }: RequestCount): number =>
  Object.values<number>(rest).reduce((sum, value) => sum + value, 0);

/** Reads what was logged since the last reading. */
export class RequestLog {
  readonly #file: string;
  #seen = 0;

  constructor(file: string) {
    this.#file = file;
  }

  take(): readonly string[] {
    const lines = existsSync(this.#file) ? readFileSync(this.#file, 'utf8').split('\n').filter(Boolean) : [];
    const fresh = lines.slice(this.#seen);
    this.#seen = lines.length;
    return fresh;
  }
}
