import { describe, expect, test } from '@jest/globals';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import { allowedUrl, EgressRefused } from '../../../shared/kit/outbound/egressRule.js';
import { receiverFault } from '../../../shared/notices/webhooks/receiverRule.js';
import { vectors } from '../../notices/log/vectors.js';
import { ManualClock } from '../../support/manualClock.js';

const hosts = ['earth-search.aws.element84.com', '127.0.0.1:8123'];

describe('an address from outside', () => {
  test.each(['https://earth-search.aws.element84.com/v1/search', 'http://127.0.0.1:8123/files/B04.tif'])(
    'of a listed host passes: %s',
    (address) => {
      expect(allowedUrl(address, hosts).href).toBe(address);
    },
  );

  test.each([
    'http://earth-search.aws.element84.com/v1/search',
    'https://earth-search.aws.element84.com:8443/v1/search',
    'https://user:secret@earth-search.aws.element84.com/v1',
    'https://earth-search.aws.element84.com.evil.example/v1',
    'https://evil.example/?earth-search.aws.element84.com',
    'https://earth-search.aws.element84.com@evil.example/',
    'http://127.0.0.1:8124/files',
    'http://127.0.0.1/files',
    'https://127.0.0.1/files',
    'http://localhost:8123/files',
    'http://2130706433:8124/',
    'http://[::ffff:127.0.0.1]:8123/',
    'http://169.254.169.254/metadata/instance',
    'https://10.0.0.1/',
    's3://sentinel-cogs/B04.tif',
    'file:///etc/passwd',
    'ftp://earth-search.aws.element84.com/',
    'javascript:alert(1)',
    '/v1/search',
    '',
  ])('is refused: %s', (address) => {
    expect(() => allowedUrl(address, hosts)).toThrow(EgressRefused);
  });

  test('in another spelling of the listed loopback address is that address', () => {
    expect(allowedUrl('http://2130706433:8123/files', hosts).href).toBe('http://127.0.0.1:8123/files');
  });

  test('is told without its path and query, which may hold a signature', () => {
    expect(() => allowedUrl('https://evil.example/secret?sig=abc', hosts)).toThrow(
      /^evil\.example is not among the hosts/,
    );
  });
});

/** Whether the guard lets a listed host pass that leads to these addresses. */
async function passes(...addresses: readonly string[]): Promise<boolean> {
  const guard = egressGuard(hosts, { clock: new ManualClock(), resolve: () => Promise.resolve(addresses) });
  return guard.pass('https://earth-search.aws.element84.com/v1').then(
    () => true,
    (cause: unknown) => {
      if (cause instanceof EgressRefused) return false;
      throw cause;
    },
  );
}

/** Networks of the IANA registries of special-purpose addresses and beside them: first and last address of each. */
const closedNetworks = [
  { network: '0.0.0.0/8', why: 'this host (RFC 791)', first: '0.0.0.0', last: '0.255.255.255' },
  { network: '10.0.0.0/8', why: 'private (RFC 1918)', first: '10.0.0.0', last: '10.255.255.255' },
  { network: '100.64.0.0/10', why: 'shared (RFC 6598)', first: '100.64.0.0', last: '100.127.255.255' },
  { network: '127.0.0.0/8', why: 'loopback (RFC 1122)', first: '127.0.0.0', last: '127.255.255.255' },
  { network: '168.63.129.16/32', why: "Azure's own platform", first: '168.63.129.16', last: '168.63.129.16' },
  { network: '169.254.0.0/16', why: 'link-local (RFC 3927)', first: '169.254.0.0', last: '169.254.255.255' },
  { network: '172.16.0.0/12', why: 'private (RFC 1918)', first: '172.16.0.0', last: '172.31.255.255' },
  { network: '192.0.0.0/24', why: 'protocol assignments (RFC 6890)', first: '192.0.0.0', last: '192.0.0.255' },
  { network: '192.0.2.0/24', why: 'documentation (RFC 5737)', first: '192.0.2.0', last: '192.0.2.255' },
  { network: '192.31.196.0/24', why: 'AS112 (RFC 7535)', first: '192.31.196.0', last: '192.31.196.255' },
  { network: '192.52.193.0/24', why: 'multicast relays (RFC 7450)', first: '192.52.193.0', last: '192.52.193.255' },
  { network: '192.88.99.0/24', why: '6to4 relays (RFC 7526)', first: '192.88.99.0', last: '192.88.99.255' },
  { network: '192.168.0.0/16', why: 'private (RFC 1918)', first: '192.168.0.0', last: '192.168.255.255' },
  { network: '192.175.48.0/24', why: 'AS112 (RFC 7534)', first: '192.175.48.0', last: '192.175.48.255' },
  { network: '198.18.0.0/15', why: 'benchmarks (RFC 2544)', first: '198.18.0.0', last: '198.19.255.255' },
  { network: '198.51.100.0/24', why: 'documentation (RFC 5737)', first: '198.51.100.0', last: '198.51.100.255' },
  { network: '203.0.113.0/24', why: 'documentation (RFC 5737)', first: '203.0.113.0', last: '203.0.113.255' },
  { network: '224.0.0.0/4', why: 'multicast (RFC 5771)', first: '224.0.0.0', last: '239.255.255.255' },
  { network: '240.0.0.0/4', why: 'reserved (RFC 1112)', first: '240.0.0.0', last: '255.255.255.255' },
  {
    network: '::/96',
    why: 'nothing, loopback, IPv4 once compatible (RFC 4291)',
    first: '::',
    last: '::255.255.255.255',
  },
  { network: '64:ff9b::/96', why: 'translated IPv4 (RFC 6052)', first: '64:ff9b::', last: '64:ff9b::ffff:ffff' },
  { network: '64:ff9b:1::/48', why: 'local translation (RFC 8215)', first: '64:ff9b:1::', last: '64:ff9b:1:ffff::' },
  { network: '100::/64', why: 'discard (RFC 6666)', first: '100::', last: '100::ffff:ffff:ffff:ffff' },
  { network: '2001::/32', why: 'Teredo (RFC 4380)', first: '2001::', last: '2001:0:ffff:ffff:ffff:ffff:ffff:ffff' },
  {
    network: '2001:2::/48',
    why: 'benchmarks (RFC 5180)',
    first: '2001:2::',
    last: '2001:2:0:ffff:ffff:ffff:ffff:ffff',
  },
  { network: '2001:10::/28', why: 'ORCHID (RFC 4843)', first: '2001:10::', last: '2001:1f:ffff::' },
  { network: '2001:20::/28', why: 'ORCHIDv2 (RFC 7343)', first: '2001:20::', last: '2001:2f:ffff::' },
  { network: '2001::/23', why: 'protocol assignments (RFC 2928)', first: '2001::1', last: '2001:1ff:ffff::' },
  { network: '2001:db8::/32', why: 'documentation (RFC 3849)', first: '2001:db8::', last: '2001:db8:ffff::' },
  { network: '2002::/16', why: '6to4 (RFC 3056)', first: '2002::', last: '2002:ffff::' },
  { network: '2620:4f:8000::/48', why: 'AS112 (RFC 7534)', first: '2620:4f:8000::', last: '2620:4f:8000:ffff::' },
  { network: '3fff::/20', why: 'documentation (RFC 9637)', first: '3fff::', last: '3fff:fff:ffff::' },
  { network: '5f00::/16', why: 'segment routing (RFC 9602)', first: '5f00::', last: '5f00:ffff::' },
  { network: 'fc00::/7', why: 'unique local (RFC 4193)', first: 'fc00::', last: 'fdff:ffff::' },
  { network: 'fe80::/10', why: 'link-local (RFC 4291)', first: 'fe80::', last: 'febf:ffff::' },
  { network: 'ff00::/8', why: 'multicast (RFC 4291)', first: 'ff00::', last: 'ffff:ffff::' },
];

describe('a listed host', () => {
  test.each(closedNetworks)('is not called in $network: $why', async ({ first, last }) => {
    expect([await passes(first), await passes(last)]).toEqual([false, false]);
  });

  test.each([
    { why: 'IPv4 mapped into IPv6', addresses: ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:a9fe:a9fe'] },
    { why: 'the platform, mapped', addresses: ['::ffff:168.63.129.16', '::FFFF:A83F:8110'] },
    { why: 'an address with a zone', addresses: ['fe80::1%eth0', '2603:1030::1%eth0'] },
    { why: 'capital letters', addresses: ['FD12:3456::1', '2001:DB8::1'] },
    { why: 'what is no address', addresses: ['', 'not an address', '127.1', '010.0.0.1', '2130706433', '8.8.8.8/32'] },
  ])('is not called by $why: $addresses', async ({ addresses }) => {
    for (const address of addresses) expect([address, await passes(address)]).toEqual([address, false]);
  });

  test.each([
    { why: 'beside 10.0.0.0/8', addresses: ['9.255.255.255', '11.0.0.0'] },
    { why: 'beside 100.64.0.0/10', addresses: ['100.63.255.255', '100.128.0.0'] },
    { why: "beside Azure's own platform", addresses: ['168.63.129.15', '168.63.129.17'] },
    { why: 'beside 169.254.0.0/16', addresses: ['169.253.255.255', '169.255.0.0'] },
    { why: 'beside 172.16.0.0/12', addresses: ['172.15.255.255', '172.32.0.0'] },
    { why: 'beside what 192.0.0.0/16 keeps', addresses: ['192.0.1.255', '192.0.3.0'] },
    { why: 'beside 198.18.0.0/15', addresses: ['198.17.255.255', '198.20.0.0'] },
    { why: 'beside documentation', addresses: ['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'] },
    { why: 'below multicast', addresses: ['223.255.255.255'] },
    { why: 'beside 2001::/23', addresses: ['2001:200::', '2001:67c::1', '2001:4860:4860::8888'] },
    { why: 'beside 2001:db8::/32 and 2002::/16', addresses: ['2001:db7:ffff::', '2001:db9::', '2003::1'] },
    {
      why: 'beside AS112 and 3fff::/20',
      addresses: ['2620:4f:7fff::', '2620:4f:8001::', '3ffe:ffff::', '3fff:1000::'],
    },
    { why: 'what clouds have', addresses: ['20.50.2.1', '52.218.0.1', '2600:1f18::1', '2603:1030::1', '2a00:1450::1'] },
    { why: 'mapped IPv4 of the internet', addresses: ['::ffff:8.8.8.8'] },
  ])('is called on the internet, $why: $addresses', async ({ addresses }) => {
    for (const address of addresses) expect([address, await passes(address)]).toEqual([address, true]);
  });

  test('is not called where one of its addresses may not be, or where it has none', async () => {
    expect(await passes('52.218.0.1', '168.63.129.16')).toBe(false);
    expect(await passes()).toBe(false);
  });
});

describe('the 60 addresses that were collected for webhooks', () => {
  const { refused, allowed } = vectors.egress;

  test('are refused and allowed as they say', async () => {
    expect(refused.length + allowed.length).toBe(60);
    const passed = async (addresses: readonly string[]): Promise<string[]> => {
      const answers = await Promise.all(addresses.map(async (address) => ((await passes(address)) ? [address] : [])));
      return answers.flat();
    };
    expect(await passed(refused)).toEqual([]);
    expect(await passed(allowed)).toEqual(allowed);
  });

  test('are refused and allowed alike as addresses of receivers: there is one list', () => {
    const rule = { ownHost: 'api.partner.example', localHosts: [] };
    const taken = (address: string): boolean => {
      const url = `https://${address.includes(':') ? `[${address}]` : address}/`;
      return receiverFault(url, rule) === undefined;
    };
    expect(refused.filter(taken)).toEqual([]);
    expect(allowed.filter((address) => !taken(address))).toEqual([]);
  });
});

describe('the guard', () => {
  const guardFor = (addresses: readonly string[]) => {
    const asked: string[] = [];
    const clock = new ManualClock();
    const resolve = (host: string): Promise<readonly string[]> => {
      asked.push(host);
      return Promise.resolve(addresses);
    };
    return { asked, clock, guard: egressGuard(hosts, { clock, resolve }) };
  };

  test('refuses a listed name that leads into a private network, by any of its addresses', async () => {
    const { guard } = guardFor(['52.218.0.1', '10.0.0.5']);
    await expect(guard.pass('https://earth-search.aws.element84.com/v1')).rejects.toThrow(
      /^earth-search\.aws\.element84\.com leads to an address outside of the internet$/,
    );
  });

  test('asks for the addresses of a host once a minute', async () => {
    const { guard, asked, clock } = guardFor(['52.218.0.1']);
    await guard.pass('https://earth-search.aws.element84.com/v1');
    await guard.pass('https://earth-search.aws.element84.com/v2');
    expect(asked).toHaveLength(1);
    clock.jump(61_000);
    await guard.pass('https://earth-search.aws.element84.com/v1');
    expect(asked).toHaveLength(2);
  });

  test('lets the local environment be called by its very host and port', async () => {
    const { guard, asked } = guardFor(['10.0.0.5']);
    await expect(guard.pass('http://127.0.0.1:8123/files/a')).resolves.toMatchObject({ port: '8123' });
    expect(asked).toEqual([]);
  });
});
