import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `service.json` tells a program that wants to use the running service. */
export interface ServiceFile {
  readonly baseUrl: string;
  /** The same over TLS, after `npm start -- --https`. */
  readonly httpsUrl?: string;
  /** A token of the tenant `demo`. */
  readonly jwt: string;
  /** A key of `customer`, for enrollments and storage access. */
  readonly apiKey: string;
  readonly customer: string;
  /** Address of farm data: the service itself, which is the tenants' data manager; it takes `jwt`. */
  readonly dataManagerUrl: string;
  readonly partyId: string;
  readonly farmId: string;
  readonly fieldIds: readonly string[];
  /** Inside a field of `farmId`. */
  readonly pointOnSurface: { readonly longitude: number; readonly latitude: number };
  /** Blob endpoint of the imagery account, the account included, without a slash at the end. */
  readonly blobEndpoint: string;
  /** Absolute path of the certificate to trust. */
  readonly caFile: string;
}

export const serviceFileIn = (directory: string): string => join(directory, 'service.json');

/** Written whole and readable by the owner alone: it holds a token. */
export function writeServiceFile(directory: string, service: ServiceFile): string {
  const file = serviceFileIn(directory);
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 });
  return file;
}

/** A file of a service that doesn't run misleads whoever reads it. */
export function removeServiceFile(directory: string): void {
  rmSync(serviceFileIn(directory), { force: true });
}

/** What is told beside the service itself. */
export interface ReadyNews {
  /** LOCAL_DIR, where it isn't `.local`. */
  readonly localDirectory?: string | undefined;
  /** The address that signs in to the console once; undefined where there is none. */
  readonly console?: string | undefined;
}

/**
 * What is printed when the service is ready: the Ready line, the address of the console, and a command that runs one
 * GDD job of last year's season from creation to its total.
 */
export function readyText(
  { baseUrl, httpsUrl, caFile }: Pick<ServiceFile, 'baseUrl' | 'httpsUrl' | 'caFile'>,
  { localDirectory, console: address }: ReadyNews,
): string {
  const variable = localDirectory === undefined ? '' : `LOCAL_DIR=${localDirectory} `;
  return [
    `Ready: ${baseUrl}`,
    ...(httpsUrl === undefined ? [] : [`Over TLS: ${httpsUrl} (trust ${caFile})`]),
    ...(address === undefined ? [] : [`Console: ${address}`]),
    '',
    'A first GDD job, from its creation to its total (in another terminal):',
    '',
    `${variable}node infra/build/run.mjs examples/typescript/gdd.ts`,
    '',
  ].join('\n');
}
