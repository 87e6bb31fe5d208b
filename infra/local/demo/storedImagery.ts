import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { DemoClient } from './client.js';

/** Where a customer's files are, as `GET /v1/auth/sas-token` answers. */
interface StorageAccess {
  readonly file_system: string;
  readonly sas_token: string;
  readonly path: string;
}

/** The customer's files, read with the SAS alone as a customer of the service would. */
export class StoredImagery {
  readonly #endpoint: string;
  readonly #access: StorageAccess;
  readonly #ca: string;

  private constructor(client: DemoClient, access: StorageAccess) {
    this.#endpoint = client.service.blobEndpoint;
    this.#ca = readFileSync(client.service.caFile, 'utf8');
    this.#access = access;
  }

  static async open(client: DemoClient): Promise<StoredImagery> {
    return new StoredImagery(client, (await client.callWithKey('/v1/auth/sas-token')) as StorageAccess);
  }

  /** A file below the customer's folder; undefined when there is none. @throws Error for every other answer */
  async read(name: string): Promise<Buffer | undefined> {
    const { file_system: container, path, sas_token: sas } = this.#access;
    const place = [container, ...path.split('/'), ...name.split('/')].map(encodeURIComponent).join('/');
    const { status, bytes } = await this.#get(`${this.#endpoint}/${place}?${sas}`);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`${name}: ${status} ${bytes.toString('utf8').slice(0, 300)}`);
    return bytes;
  }

  /** The JSON document of that name; undefined when there is none. */
  async readJson<T>(name: string): Promise<T | undefined> {
    const bytes = await this.read(name);
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8')) as T);
  }

  #get(url: string): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    return new Promise((resolve, reject) => {
      // Not by fetch: this process was not started with the local certificate among its roots.
      const call = request(url, { ca: this.#ca }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(chunks) });
        });
      });
      call.on('error', reject).end();
    });
  }
}
