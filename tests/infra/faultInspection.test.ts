import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { CustomerFiles } from '../faults/imageryInspection.mjs';

test('whoever reads what a customer finds is told when storage does not answer, but not by which access', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const service = { blobEndpoint: `https://127.0.0.1:${port}`, caFile: 'package.json' };
  const access = { file_system: 'imagery', path: 'contoso', sas_token: 'sig=secret' };
  const files = new CustomerFiles(service, access, 20);
  const told = String(await files.read('a/index.json').catch((error: unknown) => error));
  expect(told).toBe('Error: /contoso/a/index.json: no whole answer of storage in 20 ms');
  await expect(files.list()).rejects.toThrow('the list of files: no whole answer');
  for (const socket of sockets) socket.destroy();
  silent.close();
});
