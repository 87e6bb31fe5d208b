import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces the file as a whole: a reader, or a start after a kill, sees the old content or the new, never a part. */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  renameSync(temporaryFile(path, content), path);
}

/** Creates the file as a whole unless it exists; of several processes that try, one wins. */
export function createOnce(path: string, content: string | Uint8Array): void {
  const temporary = temporaryFile(path, content);
  try {
    linkSync(temporary, path);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
  } finally {
    rmSync(temporary);
  }
}

function temporaryFile(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  return temporary;
}
