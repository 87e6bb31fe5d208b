import { readFileSync } from 'node:fs';
import { FieldClient } from '../../clients/typescript/index.js';

/** Where the service is and who calls it: the file that `npm start` writes, or one of yours (see ../README.md). */
export interface ServiceFile {
  readonly baseUrl: string;
  readonly jwt: string;
  readonly apiKey: string;
  readonly partyId: string;
  readonly farmId: string;
  readonly fieldIds: readonly [string, ...string[]];
  readonly pointOnSurface: { readonly longitude: number; readonly latitude: number };
  readonly blobEndpoint: string;
}

const { LOCAL_DIR = '.local', SERVICE_FILE = `${LOCAL_DIR}/service.json` } = process.env;
export const service = JSON.parse(readFileSync(SERVICE_FILE, 'utf8')) as ServiceFile;

export const client = new FieldClient({
  baseUrl: service.baseUrl,
  token: () => service.jwt,
  apiKey: service.apiKey,
  blobEndpoint: service.blobEndpoint,
});

/** The day so many days ago, YYYY-MM-DD. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
