import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../faults/runningService.mjs';

const ZIP = 'dist/package.zip';
const pack = (): void => {
  execFileSync(process.execPath, ['infra/build/package.mjs'], { stdio: 'ignore' });
};
const digest = (): string => createHash('sha256').update(readFileSync(ZIP)).digest('hex');

let folder = '';
let files: Record<string, Uint8Array> = {};
beforeAll(() => {
  pack();
  files = unzipSync(readFileSync(ZIP));
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), data);
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the package that is deployed', () => {
  test('is the same to the byte when it is made again', () => {
    const first = digest();
    pack();
    expect(digest()).toBe(first);
  });

  test('is smaller than 8 MB and holds what the platform needs, and no test, source or setting', () => {
    expect(readFileSync(ZIP).byteLength).toBeLessThan(8 * 1024 * 1024);
    const names = Object.keys(files);
    expect(names).toEqual(
      expect.arrayContaining([
        'host.json',
        'package.json',
        'dist/main.mjs',
        'THIRD-PARTY-NOTICES.txt',
        'sbom.cdx.json',
        'LICENSE',
      ]),
    );
    const known =
      /^(host\.json|package\.json|LICENSE|THIRD-PARTY-NOTICES\.txt|sbom\.cdx\.json|dist\/[\w-]+\.mjs(\.map)?|dist\/(assets|console)\/[\w.-]+)$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
  });

  test('starts from one small file, which waits for no validator, SDK or chunk', () => {
    const { outputs } = JSON.parse(readFileSync('build/bundle.meta.json', 'utf8')) as {
      outputs: Record<string, { imports: { path: string; kind: string }[]; inputs: Record<string, unknown> }>;
    };
    const { imports, inputs } = outputs['dist/main.mjs']!;
    expect(imports.filter(({ path, kind }) => kind === 'import-statement' && path.startsWith('.'))).toEqual([]);
    const packages = Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    expect([...new Set(packages)].sort()).toEqual(['@azure/functions', '@azure/functions-extensions-base', 'cookie']);
  });

  test('names every package that is bundled, with its licence', () => {
    const { components } = JSON.parse(Buffer.from(files['sbom.cdx.json']!).toString('utf8')) as {
      components: { name: string; version: string }[];
    };
    const notices = Buffer.from(files['THIRD-PARTY-NOTICES.txt']!).toString('utf8');
    const names = components.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['@azure/functions', '@azure/data-tables', 'ajv', 'jsonwebtoken', 'swagger-ui-dist']),
    );
    for (const { name, version } of components) expect(notices).toContain(`${name} ${version} (`);
  });

  test('serves from an empty folder all that the canary asks for', async () => {
    const running = await startService({ app: folder, environment: { NODE_PATH: '' } });
    try {
      const { baseUrl, jwt, apiKey, partyId, farmId, fieldIds, pointOnSurface, blobEndpoint, caFile } = running.service;
      const { longitude, latitude } = pointOnSurface;
      const environment = {
        ...{ TOKEN: jwt, API_KEY: apiKey, PARTY_ID: partyId, FARM_ID: farmId, FIELD_ID: fieldIds[0] },
        ...{ POINT: `${longitude},${latitude}`, BLOB_ENDPOINT: blobEndpoint, NODE_EXTRA_CA_CERTS: caFile },
      };
      const { stdout } = await promisify(execFile)(process.execPath, ['build/local/smoke.mjs', baseUrl], {
        env: { ...process.env, ...environment },
      });
      const outcomes = stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).slice(0, 2).reverse());
      expect(Object.fromEntries(outcomes)).toEqual({
        health: 'passed',
        ready: 'passed',
        refusals: 'passed',
        gdd: 'passed',
        'smart-boundary': 'passed',
        imagery: 'passed',
      });
      expect((await fetch(`${baseUrl}/docs/swagger-ui.css`)).status).toBe(200);
    } finally {
      await running.stop();
    }
  });
});
