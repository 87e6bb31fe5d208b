import { describe, expect, test } from '@jest/globals';
import { createLog, leastLevel } from '../../../infra/local/functionsHost/logging.js';

describe('the log of the host', () => {
  test('the longest configured prefix of a category decides', () => {
    const levels = { default: 'Error', Function: 'Warning', 'Function.noisy': 'None' };
    const of = (category: string): string => leastLevel(levels, category);
    expect([of('Host'), of('Function.a.User'), of('Function.noisy.User')]).toEqual(['error', 'warning', 'none']);
  });

  test('a star stands for the name of a function', () => {
    const levels = { default: 'Error', Function: 'Warning', 'Function.*.User': 'Information' };
    const of = (category: string): string => leastLevel(levels, category);
    expect([of('Function.a'), of('Function.a.User'), of('Function.a.Users')]).toEqual([
      'warning',
      'information',
      'warning',
    ]);
  });

  test('what other parts of the platform say passes by their own category', () => {
    const system: string[] = [];
    const log = createLog(
      { 'Azure.Core': 'Warning' },
      () => undefined,
      (line) => system.push(line),
    );
    log.system('information', 'Request GET', 'Azure.Core');
    log.system('information', 'started');
    expect(system).toEqual(['[functions host] information: started']);
  });

  test('a prefix ends at a dot', () => {
    expect(leastLevel({ 'Function.a': 'none' }, 'Function.ab.User')).toBe('information');
  });

  test("a function's line is written as it is, the host's line says where it is from", () => {
    const [user, system]: string[][] = [[], []];
    const log = createLog(
      {},
      (line) => user!.push(line),
      (line) => system!.push(line),
    );
    log.user('a', 'information', '{"event":"x"}');
    log.user('a', 'debug', 'not asked for');
    log.system('warning', 'queue is away');
    expect({ user, system }).toEqual({
      user: ['{"event":"x"}'],
      system: ['[functions host] warning: queue is away'],
    });
  });
});
