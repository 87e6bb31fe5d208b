import { describe, expect, test } from '@jest/globals';
import { geometryCheck } from '../../shared/wiring/areas/farmServices.js';
import { TaskExhausted } from '../../shared/wiring/beside/taskProcess.js';

const geometry = Buffer.from('{"type":"Point","coordinates":[10,50]}');
/** What a request is told when its geometry's task ends so. */
const refusalOf = (end: Error): Promise<unknown> =>
  geometryCheck(() => Promise.reject(end))(geometry).catch((error: unknown) => error);

describe('a large geometry that is checked beside the requests', () => {
  test('and whose check takes too much memory or time is a bad request, and says what to do', async () => {
    expect(await refusalOf(new TaskExhausted('it took too long'))).toMatchObject({
      fault: { code: 'InvalidRequest', status: 400 },
      message: expect.stringMatching(/Simplify it, or make several fields of it/) as unknown,
    });
  });

  test('and whose check dies of something else is no fault of its sender', async () => {
    const died = new Error('The process ended.');
    expect(await refusalOf(died)).toBe(died);
  });
});
