import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
      /^(host\.json|package\.json|LICENSE|THIRD-PARTY-NOTICES\.txt|sbom\.cdx\.json|dist\/[\w-]+\.mjs(\.map)?|dist\/assets\/[\w.-]+)$/;
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

  test('runs a job from an empty folder', async () => {
    const running = await startService({ app: folder, environment: { NODE_PATH: '' } });
    try {
      const { baseUrl, jwt, partyId, fieldIds } = running.service;
      const headers = { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' };
      const post = async (operation: string, body: object): Promise<{ status: string }> => {
        const url = `${baseUrl}/solutions/partnerAgPowered.gdd:${operation}`;
        return (await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
          status: string;
        };
      };
      const requestPath = '/v1/gdd/from-the-package';
      const season = { crop: 'CORN', gddStartDate: '2025-05-01', gddEndDate: '2025-05-31' };
      const parameters = { partyId, resourceType: 'Field', resourceId: fieldIds[0], ...season };
      await post('create', { requestPath, partnerRequestBody: parameters });
      let job = await post('fetch', { requestPath });
      for (let look = 0; look < 60 && ['WAITING', 'RUNNING'].includes(job.status); look += 1) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        job = await post('fetch', { requestPath });
      }
      expect(job).toMatchObject({ status: 'SUCCEEDED' });
      expect((await fetch(`${baseUrl}/docs/swagger-ui.css`)).status).toBe(200);
    } finally {
      await running.stop();
    }
  }, 90_000);
});
