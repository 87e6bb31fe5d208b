import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listParties, type Listed, type Party } from '../api/farm.js';
import { ApiError } from '../api/errors.js';
import { farmRolesOf } from '../session/roles.js';
import { credentials, currentToken, type Credentials } from '../session/session.js';
import { forgetAtSignOut } from '../session/forgetting.js';

/** What the page may show of farm data. `none`: the token has no role for it; `failed`: nobody knows. */
export type FarmAccess =
  | { readonly state: 'asking' | 'none' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'own'; readonly canWrite: boolean; readonly parties: Listed<Party> };

interface Known {
  readonly of: Credentials;
  readonly access: FarmAccess;
}

const known = signal<Known | undefined>(undefined);
let asked: Credentials | undefined;

/** What may be shown now. */
export const farmAccess = computed((): FarmAccess => known.value?.access ?? { state: 'asking' });

/** Forgets whose farms were shown. */
export function forgetFarms(): void {
  asked = undefined;
  known.value = undefined;
}
forgetAtSignOut(forgetFarms);

async function accessNow(): Promise<FarmAccess> {
  try {
    const { canRead, canWrite } = farmRolesOf(await currentToken());
    if (!canRead) return { state: 'none' };
    return { state: 'own', canWrite, parties: await listParties() };
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 403;
    return isRefused ? { state: 'none' } : { state: 'failed', error };
  }
}

async function ask(of: Credentials): Promise<void> {
  asked = of;
  const access = await accessNow();
  // Who has signed in meanwhile is asked for by themselves.
  if (asked === of) known.value = { of, access };
}

/** Reads once more what may be shown, as after a party was created. */
export async function askFarmAccess(): Promise<void> {
  if (credentials.value !== undefined) await ask(credentials.value);
}

/** What may be shown of farm data; asked once for each sign-in. After another one the view stands until it is known. */
export function useFarmAccess(): FarmAccess {
  const given = credentials.value;
  useEffect(() => {
    if (given !== undefined && asked !== given) void ask(given);
  }, [given]);
  return farmAccess.value;
}
