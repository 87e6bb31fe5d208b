import { isIP } from 'node:net';
import { isPublicAddress } from '../../kit/outbound/egressRule.js';

const MOST_CHARACTERS = 2_048;
const CLOSED_NAMES = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)$/;

/** What addresses receivers may have. */
export interface ReceiverRule {
  /** Host of the service itself. */
  readonly ownHost: string;
  /** Receivers on this machine with their port, in the local environment alone. */
  readonly localHosts: readonly string[];
}

/** Host and port of a receiver that the local environment names. */
export const isLocalReceiver = ({ protocol, host }: URL, { localHosts }: Pick<ReceiverRule, 'localHosts'>): boolean =>
  /^https?:$/.test(protocol) && localHosts.includes(host);

/** What is wrong with the address of a receiver, the limit and what to do; undefined when nothing is. */
export function receiverFault(text: string, rule: ReceiverRule): string | undefined {
  if (text.length > MOST_CHARACTERS) return `has ${text.length} characters; at most ${MOST_CHARACTERS} are taken`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'must be an absolute address such as https://example.com/hooks';
  if (url.username !== '' || url.password !== '')
    return 'must not hold a user or password; check the signature instead';
  if (url.hash !== '') return 'must not hold a fragment (#…)';
  return isLocalReceiver(url, rule) ? undefined : hostFault(url, rule);
}

function hostFault({ protocol, port, hostname }: URL, { ownHost }: ReceiverRule): string | undefined {
  if (protocol !== 'https:') return 'must begin with https://';
  if (port !== '') return 'must not name a port; port 443 is called';
  const name = hostname.replace(/\.$/, '');
  const literal = name.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) return isPublicAddress(literal) ? undefined : 'must lead to the public internet';
  if (name === ownHost) return 'must not be an address of this service';
  if (!name.includes('.') || CLOSED_NAMES.test(name)) return 'must name a host of the public internet';
  return undefined;
}
