import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { azureFolder } from './bicepTree.js';

export const sizes = ['dev', 'small', 'large'] as const;
export type Size = (typeof sizes)[number];

const table = readFileSync(join(azureFolder, 'modules/sizes.bicep'), 'utf8');

/** What the table of sizes says of a member, as it is written there. */
export function sizeSays(size: Size, member: string): string {
  const block = new RegExp(`\\n  ${size}: \\{\\n([^]*?)\\n  \\}`).exec(table)?.[1] ?? '';
  const value = new RegExp(`\\b${member}: ([^,}\\n]+?)(?:,| \\})`).exec(block)?.[1];
  if (value === undefined) throw new Error(`The size ${size} says nothing of ${member}.`);
  return value;
}
