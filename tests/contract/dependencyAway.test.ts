import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { freePort } from '../../infra/local/freePort.mjs';
import { startService, type RunningService } from '../faults/runningService.mjs';
import { newJobId } from './service.js';

/** A port in front of the table service that can be closed and opened. */
class Gate {
  target = 0;
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();

  open(port: number): Promise<void> {
    this.#server = createServer((inner) => {
      const outer = connect(this.target, '127.0.0.1');
      for (const socket of [inner, outer]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket));
      }
      inner.pipe(outer).pipe(inner);
    });
    return new Promise((done) => this.#server?.listen(port, '127.0.0.1', done));
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((done) => {
      this.#server?.close(() => {
        done();
      });
    });
  }
}

const gate = new Gate();
let port = 0;
let running: RunningService;
beforeAll(async () => {
  port = await freePort();
  await gate.open(port);
  const environment = { DATA_STORAGE__tableServiceUri: `https://127.0.0.1:${port}/fielddata` };
  running = await startService({ app: resolve('.'), environment });
  gate.target = Number(/TableEndpoint=https:\/\/127\.0\.0\.1:(\d+)/.exec(running.settings['DATA_STORAGE'] ?? '')?.[1]);
});
afterAll(async () => {
  await running.stop();
  await gate.close();
});

const create = async (): Promise<{
  status: number;
  retryAfter: string | null;
  code: string | undefined;
}> => {
  const { baseUrl, jwt, partyId, fieldIds } = running.service;
  const response = await fetch(`${baseUrl}/solutions/partnerAgPowered.gdd:create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      requestPath: `/v1/gdd/${newJobId()}`,
      partnerRequestBody: {
        partyId,
        resourceType: 'Field',
        resourceId: fieldIds[0],
        crop: 'CORN',
        gddStartDate: '2025-05-01',
        gddEndDate: '2025-05-02',
      },
    }),
  });
  const body = (await response.json()) as { error?: { code: string } };
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, code: body.error?.code };
};
const ready = async (): Promise<{ status: number; dependencies: Record<string, string> }> => {
  const response = await fetch(`${running.service.baseUrl}/ready`);
  const { dependencies } = (await response.json()) as { dependencies: Record<string, string> };
  return { status: response.status, dependencies };
};

/** Looks until the answer is as wanted: earlier answers are remembered, and a busy machine may be late with new ones. */
async function eventually<T extends { readonly status: number }>(look: () => Promise<T>, status: number): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen.status === status) return seen;
    await new Promise((done) => setTimeout(done, 200));
  }
}

describe('while the table service is away', () => {
  test('the service says 503, names what is away, and is back by itself', async () => {
    await eventually(ready, 200);
    await eventually(create, 202);

    await gate.close();
    const refused = await create();
    expect(refused).toMatchObject({
      status: 503,
      code: 'ServiceUnavailable',
      retryAfter: expect.stringMatching(/^\d+$/),
    });
    const namesTablesAlone = async () => {
      const { status, dependencies } = await ready();
      const isNamed =
        dependencies['tables'] === 'away' && dependencies['queues'] === 'ok' && dependencies['blobs'] === 'ok';
      return { status: isNamed ? status : 0 };
    };
    await eventually(namesTablesAlone, 503);

    await gate.open(port);
    await eventually(create, 202);
  });
});
