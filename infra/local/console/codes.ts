import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A code is forgotten when nobody has used it for so long: a working day and the night after it. */
const LIFE_MS = 24 * 3600_000;

const folderIn = (directory: string): string => join(directory, 'console-codes');
/** Whoever reads the folder learns no code. */
const fileOf = (directory: string, code: string): string =>
  join(folderIn(directory), createHash('sha256').update(code).digest('hex'));

/** A new code that signs in to the local console once. @param directory LOCAL_DIR */
export function newCode(directory: string, now: Date): string {
  const code = randomBytes(24).toString('base64url');
  mkdirSync(folderIn(directory), { recursive: true, mode: 0o700 });
  writeFileSync(fileOf(directory, code), String(now.getTime() + LIFE_MS), { mode: 0o600, flag: 'wx' });
  return code;
}

/** Uses a code up. @returns whether it was good; of two at once, one is told so */
export function takeCode(directory: string, code: string, now: Date): boolean {
  const file = fileOf(directory, code);
  try {
    const endsAt = Number(readFileSync(file, 'utf8'));
    unlinkSync(file);
    return now.getTime() < endsAt;
  } catch {
    return false; // Never given out, or used before.
  }
}

/** Codes of an earlier start sign in no more. */
export function forgetCodes(directory: string): void {
  rmSync(folderIn(directory), { recursive: true, force: true });
}
