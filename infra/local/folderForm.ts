import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadOption } from './options.js';
import { settingsFileIn } from './settings.js';

/** Raised whenever what an earlier version has stored in a folder can't be read any more. */
const FORM = '2';

/** Marks the folder as of this form. @throws BadOption for one that an earlier version has used */
export function requireForm(directory: string): void {
  const file = join(directory, 'form');
  const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const isOther = found === undefined ? existsSync(settingsFileIn(directory)) : found !== FORM;
  if (isOther) {
    throw new BadOption(
      `${directory} was written by another version of the service, and can't be read by this one. ` +
        'Delete the folder (it holds test data alone), or set LOCAL_DIR to another one; then start again.',
    );
  }
  writeFileSync(file, FORM);
}
