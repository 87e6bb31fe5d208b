import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** An address that came from outside is not called; the text says why. */
export class EgressRefused extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'EgressRefused';
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The address as a URL, when the service may call it: https on port 443 of a listed host, without user or password.
 *
 * Http and other ports are for the local environment: for loopback addresses that the list names with their port.
 *
 * @param hosts host names; with a port for loopback addresses
 * @throws EgressRefused, whose text names host and rule and never path or query
 */
export function allowedUrl(text: string, hosts: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new EgressRefused('an address is no URL');
  if (url.username !== '' || url.password !== '') throw new EgressRefused('an address holds a user or password');
  if (isListedLoopback(url, hosts)) return url;
  const { protocol, port, hostname } = url;
  if (protocol !== 'https:') throw new EgressRefused(`an address of ${hostname} is not https`);
  if (port !== '') throw new EgressRefused(`an address of ${hostname} names a port`);
  if (!hosts.includes(hostname)) throw new EgressRefused(`${hostname} is not among the hosts of IMAGERY_HOSTS`);
  return url;
}

/** Whether this is an address of the local environment, named with its port in the list. */
export function isListedLoopback({ protocol, hostname, host }: URL, hosts: readonly string[]): boolean {
  return /^https?:$/.test(protocol) && LOOPBACK.has(hostname) && hosts.includes(host);
}

/**
 * IPv4 networks that are not public, by the IANA registry of special-purpose addresses, and 168.63.129.16, at which Azure's
 * own platform serves virtual machines.
 */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Global unicast networks of IPv6 that are not public: protocol assignments, documentation, 6to4, AS112. */
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

function networks(list: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const found = new BlockList();
  for (const network of list) {
    const [base = '', bits] = network.split('/');
    found.addSubnet(base, Number(bits), family);
  }
  return found;
}

const closedV4 = networks(CLOSED_V4, 'ipv4');
const closedV6 = networks(CLOSED_V6, 'ipv6');
const globalUnicast = networks(['2000::/3'], 'ipv6');
const mappedV4 = networks(['::ffff:0:0/96'], 'ipv6');

/** Whether an IP address, as a resolver gives it, is public; a text that is no address, or has a zone, is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closedV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  // A `BlockList` of IPv4 networks also finds IPv4 addresses that are mapped into IPv6.
  if (mappedV4.check(address, 'ipv6')) return !closedV4.check(address, 'ipv6');
  return globalUnicast.check(address, 'ipv6') && !closedV6.check(address, 'ipv6');
}
