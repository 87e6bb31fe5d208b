import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** Files of the certificate of the local environment, absolute when the folder is. */
export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** What a client has to trust: the certificate is its own root. */
  readonly caFile: string;
}

const day = 24 * 3600_000;
const validDays = 825;
/** Replaced when it has less than this left, so that it doesn't end under a running copy. */
const leastDaysLeft = 30;

/** Whether the stored certificate is readable and lasts long enough. */
function isUsable({ certificateFile, keyFile }: Certificate, now: Date): boolean {
  try {
    readFileSync(keyFile);
    const { validTo } = new X509Certificate(readFileSync(certificateFile));
    return new Date(validTo).getTime() - now.getTime() > leastDaysLeft * day;
  } catch {
    return false; // Missing or damaged: a new one is made.
  }
}

function replaceFile(file: string, content: string): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

async function create(files: Certificate, now: Date): Promise<void> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'local field service' }], {
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - day),
    notAfterDate: new Date(now.getTime() + validDays * day),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
  replaceFile(files.keyFile, key);
  replaceFile(files.certificateFile, cert);
}

/**
 * The certificate of the local environment for 127.0.0.1 and localhost: RSA 2048, its own root, made at the first
 * start. Node can't issue one, and a fresh clone must not need openssl.
 *
 * @param directory LOCAL_DIR, absolute
 */
export async function ensureCertificate(directory: string, now: Date): Promise<Certificate> {
  const folder = join(directory, 'certificates');
  const certificateFile = join(folder, 'local.crt');
  const files = { certificateFile, keyFile: join(folder, 'local.key'), caFile: certificateFile };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isUsable(files, now)) await create(files, now);
  return files;
}
