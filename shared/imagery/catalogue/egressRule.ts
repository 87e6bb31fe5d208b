/** Why an address that came from outside is not called. */
export class EgressRefused extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'EgressRefused';
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The address, when the service may call it: https on port 443 of a listed host, without user or password.
 *
 * Plain http and other ports are for the local environment alone: on this machine's loopback address, and only when
 * the list names that very `host:port`.
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

/** Networks that are not the internet: this host, private, link-local, shared, multicast, reserved. */
const PRIVATE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((network) => {
  const [base = '', bits = '0'] = network.split('/');
  return { base: numberOf(base), size: 2 ** (32 - Number(bits)) };
});

function numberOf(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

const isPrivateV4 = (address: string): boolean =>
  PRIVATE_V4.some(({ base, size }) => Math.floor(numberOf(address) / size) === Math.floor(base / size));

/** Whether an IP address, as a resolver gives it, leads anywhere but to the internet. */
export function isPrivateAddress(address: string): boolean {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return isPrivateV4(address);
  const lower = address.toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(lower)?.[1];
  if (mapped !== undefined) return isPrivateV4(mapped);
  // Global unicast is 2000::/3; 2001:db8::/32 is for documentation, 2002::/16 and 64:ff9b::/96 wrap IPv4.
  return !/^[23][0-9a-f]{3}:/.test(lower) || /^2001:0?db8:|^2002:/.test(lower);
}
