import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificate } from '../../infra/local/certificates.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'certificate-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const day = 24 * 3600_000;
const certificateIn = (file: string): X509Certificate => new X509Certificate(readFileSync(file));

describe('the certificate of the local environment', () => {
  test('is its own root and serves 127.0.0.1 and localhost to whoever trusts it', async () => {
    const { certificateFile, keyFile, caFile } = await ensureCertificate(directory, new Date());
    const server = createServer(
      { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
      (_request, response) => {
        response.end('hello');
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    for (const host of ['127.0.0.1', 'localhost']) {
      const request = get(`https://${host}:${port}`, { ca: readFileSync(caFile), family: 4, agent: false });
      const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
      response.resume();
      expect(response.statusCode).toBe(200);
    }
    server.close();
    server.closeAllConnections();
  });

  test('has an RSA key of 2,048 bits that only the user can read', async () => {
    const { certificateFile, keyFile } = await ensureCertificate(directory, new Date());
    const certificate = certificateIn(certificateFile);
    expect(certificate.ca).toBe(true);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
    expect(statSync(keyFile).mode & 0o077).toBe(0);
  });

  test('is kept while it lasts, and made anew when it would end soon or is damaged', async () => {
    const serialAt = async (now: Date): Promise<string> =>
      certificateIn((await ensureCertificate(directory, now)).certificateFile).serialNumber;
    const now = Date.now();
    const first = await serialAt(new Date(now));
    expect(await serialAt(new Date(now + 700 * day))).toBe(first);
    const second = await serialAt(new Date(now + 800 * day));
    expect(second).not.toBe(first);
    writeFileSync(join(directory, 'certificates', 'local.crt'), 'damaged');
    expect(await serialAt(new Date(now + 800 * day))).not.toBe(second);
  });
});
