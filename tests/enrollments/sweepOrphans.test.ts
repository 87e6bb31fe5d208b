import { expect, test } from '@jest/globals';
import { sweepOrphans } from '../../shared/enrollments/sweepOrphans.js';
import { newWork } from '../../shared/enrollments/ingestWork.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryEnrollmentStore, MemoryInputStore } from '../support/memoryEnrollmentStores.js';
import { anEnrollment } from './builders.js';

const HOUR_MS = 3_600_000;

test('inputs without an enrollment are deleted a day after they were written, others never', async () => {
  const clock = new ManualClock();
  const enrollments = new MemoryEnrollmentStore();
  const inputs = new MemoryInputStore(() => clock.now().getTime());
  const [accepted, orphan, fresh] = [anEnrollment(), anEnrollment(), anEnrollment()];
  await inputs.put(accepted, { geojson: new Uint8Array() });
  await enrollments.insert(accepted, newWork(accepted, 0));
  await inputs.put(orphan, { geojson: new Uint8Array() });
  clock.jump(2 * HOUR_MS);
  await inputs.put(fresh, { geojson: new Uint8Array() });
  clock.jump(23 * HOUR_MS);
  await expect(sweepOrphans({ inputs, enrollments, clock })()).resolves.toBe(1);
  expect([...inputs.files.values()].map(({ key }) => key.enrollmentId).sort()).toEqual(
    [accepted.enrollmentId, fresh.enrollmentId].sort(),
  );
});
