import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireForm } from '../../infra/local/folderForm.js';
import { BadOption } from '../../infra/local/options.js';
import { writeSettings } from '../../infra/local/settings.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'form-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the folder of a local service', () => {
  test('is used again by the version that has written it', () => {
    requireForm(folder);
    writeSettings(folder, {});
    expect(() => {
      requireForm(folder);
    }).not.toThrow();
  });

  test.each([
    {
      why: 'an earlier version has written, which left no mark',
      write: () => {
        writeSettings(folder, {});
      },
    },
    {
      why: 'another version has marked',
      write: () => {
        writeFileSync(join(folder, 'form'), '3');
      },
    },
  ])('is refused where $why, with what to do', ({ write }) => {
    write();
    expect(() => {
      requireForm(folder);
    }).toThrow(BadOption);
    expect(() => {
      requireForm(folder);
    }).toThrow(/Delete the folder .*, or set LOCAL_DIR to another one/);
  });
});
