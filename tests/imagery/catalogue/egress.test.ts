import { describe, expect, test } from '@jest/globals';
import { egressGuard } from '../../../shared/imagery/catalogue/egressClient.js';
import { allowedUrl, EgressRefused, isPrivateAddress } from '../../../shared/imagery/catalogue/egressRule.js';
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

describe('an IP address', () => {
  test.each([
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:10.0.0.1',
    '2001:db8::1',
    '2002:7f00:1::',
    '64:ff9b::a00:1',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each(['52.218.0.1', '172.32.0.1', '8.8.8.8', '2600:1f18::1', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
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
    await expect(guard.pass('https://earth-search.aws.element84.com/v1')).rejects.toThrow(/private network/);
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
