import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A listener that nobody may ever call: it counts who comes and cuts them off. */
export class Canary {
  readonly #servers: Server[] = [];
  port = 0;
  connections = 0;

  /** Listens on the loopback addresses of IPv4 and, where there is one, IPv6, on one port. */
  async start(): Promise<void> {
    await this.#listen('127.0.0.1', 0);
    this.port = (this.#servers[0]?.address() as AddressInfo).port;
    await this.#listen('::1', this.port).catch(() => undefined);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  async #listen(host: string, port: number): Promise<void> {
    const server = createServer((socket: Socket) => {
      this.connections += 1;
      socket.destroy();
    });
    await new Promise((resolve, reject) => {
      server.once('error', reject).once('listening', resolve).listen(port, host);
    });
    this.#servers.push(server);
  }
}

/**
 * Addresses that lead to the canary, in every spelling a URL parser might take for another one.
 *
 * @param allowed `host:port` that may be called, for those that hide behind it
 */
export function addressesOf(port: number, allowed: string): readonly string[] {
  const hosts = [
    ...['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', '127.0.0.1.', '[::1]', '[0:0:0:0:0:0:0:1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '0.0.0.0', '0', '127.1', '127.0.1'],
    ...['2130706433', '0x7f000001', '0x7f.0.0.1', '017700000001', '0177.0.0.1', '127.0.0.1%2e'],
    ...['①②⑦.⓪.⓪.①', '127。0。0。1', 'user@127.0.0.1', 'user:secret@127.0.0.1', `${allowed}@127.0.0.1`],
    ...['earth-search.aws.element84.com@127.0.0.1', '127.0.0.1.nip.io', 'localtest.me', 'metadata.google.internal'],
  ];
  return [
    ...hosts.map((host) => `http://${host}:${port}/x`),
    ...['https', 'ftp', 'gopher', 'ws', 'HTTP'].map((scheme) => `${scheme}://127.0.0.1:${port}/x`),
    ...[
      `//127.0.0.1:${port}/x`,
      `http:127.0.0.1:${port}/x`,
      `http:\\\\127.0.0.1:${port}\\x`,
      `http:///127.0.0.1:${port}/`,
    ],
    ...[` http://127.0.0.1:${port}/x `, `ht\ntp://127.0.0.1:${port}/x`, `http://127.0.0.1:\t${port}/x`],
    ...[
      `http://127.0.0.1:${port}\\@${allowed}/x`,
      `http://127.0.0.1:${port}#@${allowed}/`,
      `http://127.0.0.1:${port}?@${allowed}`,
    ],
    ...[
      'http://169.254.169.254/metadata/instance',
      'http://[fd00:ec2::254]/latest',
      'file:///etc/passwd',
      'data:,x',
      '',
    ],
  ];
}
