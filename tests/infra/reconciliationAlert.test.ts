import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { azureFolder } from './bicepTree.js';

const textsIn = (folder: string, ending: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(join(azureFolder, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(join(azureFolder, folder, name), 'utf8')]);

describe('the alerts', () => {
  const rules = textsIn('modules', '.bicep')
    .map(([, text]) => text)
    .join('\n');
  /** Queries of alerts that count lines of an event in the last 26 hours: a day, and two hours for a night that is late. */
  const watching = (event: string): readonly string[] =>
    textsIn('queries', '.kql')
      .filter(([name, text]) => rules.includes(`queries/${name}`) && text.includes(event) && text.includes('ago(26h)'))
      .map(([name]) => name);

  test('tell when a duty of every day has not been done for 26 hours', () => {
    expect(watching('Duty:Done')).not.toEqual([]);
  });
  // A known fault: `failing` goes when the fault is mended.
  test.failing('tell when no tile has been reconciled for 26 hours', () => {
    expect(watching('Feed:Reconciled')).not.toEqual([]);
  });
});
