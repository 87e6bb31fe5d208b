import { computed, signal } from '@preact/signals';
import { forgetAll } from './forgetting.js';

/** Whom farm data knows: handed over with a local sign-in, typed by people otherwise. */
export interface KnownFarm {
  readonly partyId: string;
  readonly farmId: string;
  readonly fields: readonly { readonly id: string; readonly name: string }[];
  /** A point inside a field of the farm. */
  readonly point: { readonly longitude: number; readonly latitude: number };
}

/** What signing in gives. */
export interface Credentials {
  readonly apiKey: string;
  /** For jobs; undefined when only fields and imagery are wanted. */
  readonly token?: string;
  readonly farm?: KnownFarm;
}

const KEPT = 'field-console';

function kept(): Credentials | undefined {
  try {
    const text = sessionStorage.getItem(KEPT);
    return text === null ? undefined : (JSON.parse(text) as Credentials);
  } catch {
    return undefined; // Storage is switched off, or was written by something else: signing in mends both.
  }
}

/** The credentials of this tab. */
export const credentials = signal<Credentials | undefined>(typeof sessionStorage === 'undefined' ? undefined : kept());

/** Which credential is wanted anew; `missing`: a token that was not given yet. */
export interface Refusal {
  readonly what: 'key' | 'token' | 'missing';
  readonly traceId?: string | undefined;
}

/** Why a sign-in stands over the view, when it does. */
export const refused = signal<Refusal | undefined>(undefined);

/** Gives a token that is good now, where an identity platform does; else the one that was typed stays. */
export const tokenSource: { current?: () => Promise<string | undefined> } = {};

/** The token that calls are made with; undefined when there is none. */
export const currentToken = async (): Promise<string | undefined> =>
  (await tokenSource.current?.().catch(() => undefined)) ?? credentials.value?.token;

/** Whether jobs can be asked for. */
export const hasToken = computed(() => credentials.value?.token !== undefined);

let waiting: (() => void)[] = [];

/** Takes new credentials; calls that were refused go on with them. @param isKept whether a reload of the tab may use them */
export function signIn(given: Credentials, isKept: boolean): void {
  credentials.value = given;
  refused.value = undefined;
  keep(isKept ? given : undefined);
  const resumed = waiting;
  waiting = [];
  for (const resume of resumed) resume();
}

/** Lets the page that comes back from elsewhere find the key; nothing changes on this one. */
export function keepForReturn(given: Credentials): void {
  keep(given);
}

/** Forgets everything that was signed in with, and what every part of the page knows by it. */
export function signOut(): void {
  forgetAll();
  credentials.value = undefined;
  delete tokenSource.current;
  refused.value = undefined;
  waiting = [];
  keep(undefined);
}

/** Asks for another sign-in over the view; settles when there was one. */
export function signInAgain(what: 'key' | 'token', traceId?: string): Promise<void> {
  refused.value = { what, traceId };
  return new Promise((resume) => waiting.push(resume));
}

/** True when a reload of this tab finds the credentials again. */
export const isKept = (): boolean => kept() !== undefined;

function keep(given: Credentials | undefined): void {
  try {
    if (given === undefined) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify(given));
  } catch {
    // Storage is switched off: memory has them for as long as the page stands.
  }
}
