import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { inProgress, ingested, type Enrollment } from '../../shared/enrollments/record/enrollment.js';
import type { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { keptSubmission } from '../../shared/enrollments/record/submissionKey.js';
import { anEnrollment, aRequest, START } from './builders.js';

const tally = (processed: number, failed: readonly string[] = []) => ({
  processed,
  errors: failed.map((fieldId) => ({ fieldId, code: 'self_crossing', message: 'It crosses itself.' })),
});

/** What every store of enrollments does, whatever it is made of. */
export function describeEnrollmentStore(name: string, make: () => Promise<EnrollmentStore>): void {
  describe(`the enrollment store ${name}`, () => {
    let store: EnrollmentStore;
    beforeAll(async () => {
      store = await make();
    });

    const insert = async (changes: Partial<Enrollment> = {}): Promise<Enrollment> => {
      const enrollment = anEnrollment(changes);
      await store.insert(enrollment);
      return enrollment;
    };
    const found = async (enrollment: Enrollment) => (await store.find(enrollment))!;
    const idsOf = async (customer: string, query: Parameters<EnrollmentStore['list']>[1]): Promise<string[]> =>
      (await store.list(customer, query)).map(({ enrollment }) => enrollment.enrollmentId);

    test('gives back what was inserted', async () => {
      const enrollment = await insert({ request: aRequest({ description: 'Größe 🌾 "x"' }) });
      expect((await store.find(enrollment))?.enrollment).toEqual(enrollment);
    });

    test("knows no enrollment of another customer's", async () => {
      const { enrollmentId } = await insert();
      await expect(store.find({ customer: 'somebody-else', enrollmentId })).resolves.toBeUndefined();
    });

    test('keeps an enrollment whose errors fill many properties, characters of two units at every cut included', async () => {
      const message = '🌾'.repeat(95);
      const errors = Array.from({ length: 500 }, (_, index) => ({ fieldId: `field-${index}`, code: 'x', message }));
      const enrollment = await insert({ errors });
      expect((await found(enrollment)).enrollment.errors).toEqual(errors);
      expect((await store.list(enrollment.customer, { limit: 1 }))[0]?.enrollment.errors).toEqual(errors);
    });

    test('lists newest first, the id deciding among those of one millisecond', async () => {
      const customer = `customer-${randomUUID()}`;
      const [first, second] = [randomUUID(), randomUUID()].sort();
      await insert({ customer, enrollmentId: second!, createdAt: START });
      await insert({ customer, enrollmentId: first!, createdAt: START });
      const newest = await insert({ customer, createdAt: START + 1 });
      await expect(idsOf(customer, { limit: 10 })).resolves.toEqual([newest.enrollmentId, first, second]);
    });

    test('goes on behind a position, within a status when one is asked for', async () => {
      const customer = `customer-${randomUUID()}`;
      const all: Enrollment[] = [];
      for (let index = 0; index < 4; index += 1) all.unshift(await insert({ customer, createdAt: START + index }));
      const [page] = await store.list(customer, { limit: 1 });
      const ids = all.map(({ enrollmentId }) => enrollmentId);
      await expect(idsOf(customer, { limit: 2, after: page!.position })).resolves.toEqual(ids.slice(1, 3));
      await store.replace(await found(all[2]!), inProgress(all[2]!, tally(0)));
      await expect(idsOf(customer, { status: 'received', limit: 9, after: page!.position })).resolves.toEqual([
        ids[1],
        ids[3],
      ]);
      await expect(idsOf(customer, { status: 'in_progress', limit: 9 })).resolves.toEqual([ids[2]]);
    });

    test('takes one of ten changes on the same reading, and shows it in every list', async () => {
      const enrollment = await insert({ totalFields: 10 });
      const stored = await found(enrollment);
      const changes = await Promise.all(
        Array.from({ length: 10 }, (_, index) => store.replace(stored, inProgress(enrollment, tally(index)))),
      );
      const won = changes.filter((change) => change !== undefined);
      expect(won).toHaveLength(1);
      const { enrollment: winner } = won[0]!;
      expect((await found(enrollment)).enrollment).toEqual(winner);
      for (const query of [{ limit: 5 }, { limit: 5, status: 'in_progress' as const }]) {
        expect((await store.list(enrollment.customer, query)).map((entry) => entry.enrollment)).toEqual([winner]);
      }
    });

    test('ends an enrollment once', async () => {
      const enrollment = await insert();
      const stored = await found(enrollment);
      const end = ingested(enrollment, tally(1), START + 5);
      await expect(store.replace(stored, end)).resolves.toMatchObject({ enrollment: end });
      await expect(store.replace(stored, { ...end, stoppedAt: START })).resolves.toBeUndefined();
      expect((await found(enrollment)).enrollment).toEqual(end);
    });

    const submissionOf = ({ customer, enrollmentId }: Enrollment, contentDigest = 'digest') =>
      keptSubmission({ customer, keyHash: 'hash', contentDigest }, enrollmentId, START);
    const dayLater = START + 24 * 3_600_000;

    test('takes one of ten that are inserted under one key, and keeps nothing of the others', async () => {
      const customer = `customer-${randomUUID()}`;
      const rivals = Array.from({ length: 10 }, () => anEnrollment({ customer }));
      const taken = await Promise.all(
        rivals.map((rival) => store.insert(rival, { submission: submissionOf(rival), replaces: undefined })),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      const winner = rivals[taken.indexOf(true)]!;
      await expect(idsOf(customer, { limit: 20 })).resolves.toEqual([winner.enrollmentId]);
      expect(await store.findSubmission({ customer, keyHash: 'hash' })).toMatchObject({
        submission: submissionOf(winner),
      });
      await expect(store.findSubmission({ customer: 'somebody-else', keyHash: 'hash' })).resolves.toBeUndefined();
    });

    test('lets a key that was read be used anew by one of ten', async () => {
      const first = anEnrollment();
      const { customer } = first;
      await store.insert(first, { submission: submissionOf(first), replaces: undefined });
      const replaces = await store.findSubmission(submissionOf(first));
      const rivals = Array.from({ length: 10 }, () => anEnrollment({ customer }));
      const taken = await Promise.all(
        rivals.map((rival) => store.insert(rival, { submission: submissionOf(rival, 'other'), replaces })),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await store.findSubmission(submissionOf(first)))?.submission).toEqual(
        submissionOf(rivals[taken.indexOf(true)]!, 'other'),
      );
    });

    test('forgets keys whose time is over, but none that was used anew meanwhile', async () => {
      const first = anEnrollment();
      const { customer } = first;
      await store.insert(first, { submission: submissionOf(first), replaces: undefined });
      await expect(store.listExpiredSubmissions(customer, dayLater - 1)).resolves.toEqual([]);
      const [expired] = await store.listExpiredSubmissions(customer, dayLater);
      const anew = { ...submissionOf(first), expiresAt: dayLater + 1 };
      const second = anEnrollment({ customer });
      await store.insert(second, { submission: anew, replaces: expired });
      await store.forgetSubmission(expired!);
      expect((await store.findSubmission(anew))?.submission).toEqual(anew);
      await store.forgetSubmission((await store.findSubmission(anew))!);
      await expect(store.findSubmission(anew)).resolves.toBeUndefined();
    });
  });
}
