import { signal } from '@preact/signals';
import type { AddressOf, FetchPicture } from '../map/mapScene.js';
import { callJson } from './client.js';
import { serviceNow } from './clock.js';
import { ApiError, noAnswer } from './errors.js';
import { pageSettings } from './settings.js';
import { forgetAtSignOut } from '../session/forgetting.js';

/** Where a customer's files are, as `GET /v1/auth/sas-token` answers. */
interface StorageAccess {
  readonly account_name: string;
  readonly file_system: string;
  readonly sas_token: string;
  readonly path: string;
}

/** Whose files they are and until when they can be read, milliseconds since 1970 by the service's clock. */
export interface StorageState {
  readonly customer: string;
  readonly endsAt: number;
}

/** Undefined until the storage was asked for. */
export const storage = signal<StorageState | undefined>(undefined);

/** A token is renewed when it has less left than this. */
const SPARE_MS = 60_000;

let access: Promise<StorageAccess> | undefined;

async function granted(): Promise<StorageAccess> {
  const given = await callJson<StorageAccess>({ path: '/v1/auth/sas-token', as: 'key' });
  const end = new URLSearchParams(given.sas_token).get('se');
  storage.value = { customer: given.path.split('/')[0] ?? '', endsAt: end === null ? Infinity : Date.parse(end) };
  return given;
}

/** Access that is good for a while; everybody who asks at once shares one call. */
async function storageAccess(): Promise<StorageAccess> {
  const isOver = storage.value !== undefined && storage.value.endsAt - serviceNow() < SPARE_MS;
  if (isOver) access = undefined;
  access ??= granted().catch((error: unknown) => {
    access = undefined;
    throw error;
  });
  return access;
}

/** Forgets the access, as after a sign-out. */
export function forgetStorage(): void {
  access = undefined;
  storage.value = undefined;
}
forgetAtSignOut(forgetStorage);

/** Folder of the customer's files within the container. */
export const customerFolder = async (): Promise<string> => (await storageAccess()).path;

async function addressWith(path: string, { file_system: container, sas_token: sas }: StorageAccess): Promise<string> {
  const { blobEndpoint } = await pageSettings();
  const place = [container, ...path.split('/')].map(encodeURIComponent).join('/');
  return `${blobEndpoint}/${place}?${sas}`;
}

/** The address of a file of the customer. The one that was refused is never given again while another can be had. */
export const addressOf: AddressOf = async (path, refused) => {
  const current = await storageAccess();
  const address = await addressWith(path, current);
  if (address !== refused) return address;
  if ((await access) === current) access = undefined;
  return addressWith(path, await storageAccess());
};

async function get(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw navigator.onLine ? unreachable : noAnswer();
  }
}

/** A browser doesn't tell a page why storage can't be reached. */
const unreachable = new ApiError(
  'The picture storage cannot be reached from this browser: it may be private, or its CORS rule may not name this page. Fields and jobs work all the same.',
  { code: 'storage-unreachable' },
);

/**
 * Fetches a file of the customer. A token that has run out is renewed once.
 *
 * @param path within the container
 */
export async function fetchFile(path: string, init: RequestInit = {}): Promise<Response> {
  const address = await addressOf(path);
  const response = await get(address, init);
  return response.status === 403 ? get(await addressOf(path, address), init) : response;
}

/** As the map wants it. */
export const fetchPicture: FetchPicture = (path, range, signal) => fetchFile(path, { headers: { range }, signal });

/** A JSON document of the customer; undefined when there is none. @throws ApiError for every other answer */
export async function readDocument<T>(path: string, signal?: AbortSignal): Promise<T | undefined> {
  const response = await fetchFile(path, signal === undefined ? {} : { signal });
  if (response.status === 404) return undefined;
  if (!response.ok) throw storageError(response);
  return (await response.json()) as T;
}

/** What storage has answered, in words. */
export function storageError(response: Response): ApiError {
  const id = response.headers.get('x-ms-request-id') ?? undefined;
  const text =
    response.status === 403
      ? 'The picture storage lets nobody in from this network, or takes this sign-in no more. Fields and jobs work all the same.'
      : `The picture storage answered ${response.status}.`;
  return new ApiError(text, {
    status: response.status,
    code: response.headers.get('x-ms-error-code') ?? '',
    traceId: id,
  });
}
