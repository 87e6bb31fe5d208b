import { describe, expect, test } from '@jest/globals';
import { readiness, type Probe } from '../../shared/operate/readiness.js';
import { ManualClock, settle } from '../support/manualClock.js';

const there: Probe = () => Promise.resolve();
const gone: Probe = () => Promise.reject(new Error('ECONNREFUSED'));
const hangs: Probe = () => new Promise(() => undefined);

describe('the service', () => {
  test('is ready when everything answers', async () => {
    const look = readiness({ tables: there, queues: there }, new ManualClock());
    expect(await look()).toEqual({
      ready: true,
      dependencies: { tables: 'ok', queues: 'ok' },
      notes: [],
      duties: {},
      lastTick: null,
    });
  });

  test('tells when it last looked for work that is due, and is ready however long ago that was', async () => {
    const detail = { notes: [], duties: () => Promise.resolve({}), lastTick: () => Promise.resolve(0) };
    const state = await readiness({ tables: there }, new ManualClock(), detail)();
    expect(state).toMatchObject({ ready: true, lastTick: '1970-01-01T00:00:00.000Z' });
  });

  test('is not ready when one is away, and names it', async () => {
    const look = readiness({ tables: there, queues: gone }, new ManualClock());
    expect(await look()).toEqual({
      ready: false,
      dependencies: { tables: 'ok', queues: 'away' },
      notes: [],
      duties: {},
      lastTick: null,
    });
  });

  test('says so within two seconds when one hangs', async () => {
    const clock = new ManualClock();
    const answer = readiness({ tables: there, queues: hangs }, clock)();
    await settle();
    await clock.advance(2_000);
    expect(await answer).toMatchObject({ ready: false, dependencies: { queues: 'away' } });
  });

  test('looks at most every five seconds, however often it is asked', async () => {
    const clock = new ManualClock();
    let looks = 0;
    const look = readiness({ tables: () => Promise.resolve((looks += 1)) }, clock);
    await Promise.all(Array.from({ length: 20 }, () => look()));
    expect(looks).toBe(1);
    clock.jump(5_001);
    await look();
    expect(looks).toBe(2);
  });
});
