import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { inProgress, type Enrollment } from '../../shared/enrollments/record/enrollment.js';
import { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { anEnrollment } from '../enrollments/builders.js';
import { listEnrollments, newCustomer } from './enrollmentCalls.js';
import { rowsOf } from './storage.js';

/** `npm run faults -- E18 --full` pages through 1,000 of them while real ones come. */
const COUNT = 240;
const START = Date.now() - 24 * 3_600_000;

let customer: string;
let apiKey: string;
/** Newest first. */
let all: Enrollment[];
const store = new EnrollmentStore(rowsOf('enrollments'));

const insert = async (createdAt: number): Promise<Enrollment> => {
  // Work that is due in a year: nobody ingests what has no inputs.
  const enrollment = anEnrollment({ customer, createdAt, enrollmentId: randomUUID() });
  await store.insert(enrollment);
  return enrollment;
};

beforeAll(async () => {
  ({ customer, apiKey } = await newCustomer());
  all = [];
  for (let start = 0; start < COUNT; start += 20) {
    // Three of a millisecond each, so that the id has to decide.
    const created = Array.from({ length: 20 }, (_, index) => insert(START + Math.floor((start + index) / 3)));
    all.push(...(await Promise.all(created)));
  }
  all.sort((a, b) => b.createdAt - a.createdAt || (a.enrollmentId < b.enrollmentId ? -1 : 1));
});

interface Page {
  readonly items: readonly { readonly enrollment_id: string; readonly status: string }[];
  readonly cursor: string | null;
}

/** All pages from the first on; `between` runs after each. */
async function walk(query: string, between: (shown: number) => Promise<void>): Promise<string[]> {
  const shown: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const reply = await listEnrollments(`?${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`, apiKey);
    expect(reply.status).toBe(200);
    const page = reply.json as Page;
    shown.push(...page.items.map(({ enrollment_id: id }) => id));
    cursor = page.cursor;
    if (cursor !== null) await between(shown.length);
  }
  return shown;
}

describe(`${COUNT} enrollments`, () => {
  test.each([200, 50, 1])(
    'by pages of %d are each shown once, while others come and statuses change',
    async (limit) => {
      const ids = new Set(all.map(({ enrollmentId }) => enrollmentId));
      const shown = await walk(`limit=${limit}`, async (count) => {
        if (limit === 1 && count % 40 !== 0) return;
        all.unshift(await insert(Date.now()));
        const moved = (await store.find(all[(count * 7) % all.length]!))!;
        await store.replace(moved, inProgress(moved.enrollment, { processed: 0, errors: [] }));
      });
      const present = shown.filter((id) => ids.has(id));
      expect(present).toHaveLength(ids.size);
      expect(new Set(shown).size).toBe(shown.length);
      expect(present).toEqual(all.map(({ enrollmentId }) => enrollmentId).filter((id) => ids.has(id)));
    },
  );

  test('of one status are those of it, each once', async () => {
    const inOrder = async (status: string): Promise<string[]> =>
      walk(`limit=200&status=${status}`, () => Promise.resolve());
    const [received, moved] = [await inOrder('received'), await inOrder('in_progress')];
    expect(moved.length).toBeGreaterThan(5);
    expect([...received, ...moved].sort()).toEqual(all.map(({ enrollmentId }) => enrollmentId).sort());
    expect(await inOrder('failed')).toEqual([]);
  });

  test('are not shown by a cursor of another filter, another caller or another hand', async () => {
    const { cursor } = (await listEnrollments('?limit=5', apiKey)).json as { readonly cursor: string };
    const stranger = await newCustomer();
    for (const [query, key] of [
      [`cursor=${cursor}&status=received`, apiKey],
      [`cursor=${cursor}`, stranger.apiKey],
      [`cursor=${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`, apiKey],
      [`cursor=A${cursor}`, apiKey],
      ['cursor=', apiKey],
      [`cursor=${Buffer.from('[1,"0",99999999999999]').toString('base64url')}`, apiKey],
      [`cursor=${'A'.repeat(600)}`, apiKey],
    ] as const) {
      const reply = await listEnrollments(`?${query}`, key);
      expect([query, reply.status]).toEqual([query, 422]);
      expect(reply.json.details).toMatchObject([{ loc: ['query', 'cursor'] }]);
    }
  });
});
