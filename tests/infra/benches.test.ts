import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../bench/figures.js';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const benches = Object.entries(scripts).filter(([name]) => name.startsWith('bench:') && name !== 'bench:smoke');

describe('a bench', () => {
  test.each(benches)('%s takes --smoke, and prints by what refuses a figure that is none', (_name, command) => {
    const [program = ''] = /\S+\.(?:ts|mjs)$/.exec(command) ?? [];
    expect(readFileSync(join(root, program), 'utf8')).toMatch(/figures\.js'|BENCH_SMOKE/);
  });

  test.each(['ratio NaN (goal ≤ 1.3)', 'Infinity ms', 'memory: undefined MB'])('does not print %p', (line) => {
    expect(() => {
      say(line);
    }).toThrow('is no number');
  });
});

describe('the load time of the bundle', () => {
  test('is had in a smoke run', () => {
    const { stdout, status } = spawnSync(process.execPath, ['infra/build/benchLoad.mjs', '--smoke'], { cwd: root });
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^ratio \d+\.\d\d \(goal/m);
  });

  test('is refused for a bundle that does not load', () => {
    const program = 'build/local/loadTime.mjs';
    const { stderr, status } = spawnSync(process.execPath, [program, join(root, 'dist/noSuchFile.mjs')], { cwd: root });
    expect(status).not.toBe(0);
    expect(stderr.toString()).toContain('does not load');
  });
});
