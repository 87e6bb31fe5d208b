import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

describe('a program of the checkout, run by infra/build/run.mjs', () => {
  let folder: string;
  beforeAll(() => {
    mkdirSync('build/test', { recursive: true });
    folder = mkdtempSync('build/test/run-');
    const told = `readFileSync(process.env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8').replaceAll('\\n', ' ')`;
    writeFileSync(join(folder, 'trust.ts'), `import { readFileSync } from 'node:fs';\nprocess.stdout.write(${told});`);
    mkdirSync(join(folder, 'local/certificates'), { recursive: true });
    writeFileSync(join(folder, 'local/certificates/local.crt'), 'ours');
    writeFileSync(join(folder, 'other.pem'), 'theirs');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const trusted = (variables: object): string =>
    execFileSync(process.execPath, ['infra/build/run.mjs', `${folder}/trust.ts`], {
      env: { PATH: process.env['PATH'], ...variables },
      encoding: 'utf8',
    })
      .split('\n')
      .at(-1) ?? '';

  test('trusts the storage of the service of LOCAL_DIR, beside whom it is told to trust', () => {
    const LOCAL_DIR = join(folder, 'local');
    expect(trusted({ LOCAL_DIR })).toBe('ours');
    expect(trusted({ LOCAL_DIR, NODE_EXTRA_CA_CERTS: join(folder, 'other.pem') })).toBe('ours theirs');
    expect(trusted({ LOCAL_DIR: join(folder, 'nobody') })).toBe('');
  });
});

describe('a file that an example writes', () => {
  const [, named = ''] = /They write what they get \(([^)]*)\)/.exec(readFileSync('examples/README.md', 'utf8')) ?? [];
  const files = [...named.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');
  const ignored = readFileSync('.gitignore', 'utf8').split('\n');

  test.each(files)('%s is none of the repository', (file) => {
    expect(ignored).toContain(`/${file}`);
  });
});
