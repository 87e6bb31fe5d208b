import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '../clock.js';
import { allowedUrl, EgressRefused, isListedLoopback, isPublicAddress } from './egressRule.js';

/** Finds every address of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** The addresses of a host are looked up again after this time. */
const TRUSTED_MS = 60_000;

/** Checks addresses that come from outside. */
export interface EgressGuard {
  /** The address as a URL. @throws EgressRefused when the service must not call it */
  pass(text: string): Promise<URL>;
}

/** A guard for every address that a catalogue names (next pages, files): its host must be listed, with public IP addresses alone. */
export function egressGuard(
  hosts: readonly string[],
  { clock, resolve = systemResolve }: { readonly clock: Pick<Clock, 'now'>; readonly resolve?: Resolve },
): EgressGuard {
  const checkedUntil = new Map<string, number>();
  return {
    pass: async (text) => {
      const url = allowedUrl(text, hosts);
      if (isListedLoopback(url, hosts)) return url;
      const now = clock.now().getTime();
      if ((checkedUntil.get(url.hostname) ?? 0) > now) return url;
      const addresses = isIP(url.hostname) === 0 ? await resolve(url.hostname) : [url.hostname];
      if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
        throw new EgressRefused(`${url.hostname} leads to an address outside of the internet`);
      }
      checkedUntil.set(url.hostname, now + TRUSTED_MS);
      return url;
    },
  };
}
