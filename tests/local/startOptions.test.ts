import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readOptions } from '../../infra/local/options.js';
import { choosePorts } from '../../infra/local/ports.js';

describe('what npm start is asked for', () => {
  test('has defaults for everything', () => {
    expect(readOptions({}, [])).toEqual({
      port: 7071,
      directory: resolve('.local'),
      inMemory: false,
      host: 'embedded',
      https: false,
      eventGrid: false,
      hostRestarts: 3,
      catalogue: { cases: {}, faults: [] },
    });
  });

  test('comes from the environment and the arguments', () => {
    const environment = {
      PORT: '8080',
      LOCAL_DIR: '/data',
      IN_MEMORY: '1',
      HOST_RESTARTS: '1000',
      STAC_CASES: 'reprocessed',
    };
    expect(readOptions(environment, ['--host', 'func'])).toEqual({
      port: 8080,
      directory: '/data',
      inMemory: true,
      host: 'func',
      https: false,
      eventGrid: false,
      hostRestarts: 1000,
      catalogue: { cases: { isReprocessed: true }, faults: [] },
    });
  });

  test('may be TLS beside plain http', () => {
    expect(readOptions({}, ['--https'])).toMatchObject({ host: 'embedded', https: true });
  });

  test('may be a topic for events', () => {
    expect(readOptions({}, ['--event-grid'])).toMatchObject({ host: 'embedded', eventGrid: true });
  });

  test.each([
    { why: 'no number', environment: { PORT: 'x' }, argv: [], says: 'PORT' },
    { why: 'no port', environment: { PORT: '65536' }, argv: [], says: 'PORT' },
    { why: 'empty', environment: { PORT: '' }, argv: [], says: 'PORT' },
    { why: 'below zero', environment: { HOST_RESTARTS: '-1' }, argv: [], says: 'HOST_RESTARTS' },
    { why: 'unknown', environment: {}, argv: ['--hots', 'func'], says: '--hots' },
    { why: 'TLS of another host', environment: {}, argv: ['--host', 'func', '--https'], says: '--https' },
    {
      why: 'no case',
      environment: { STAC_CASES: 'reprocessed,cloudless' },
      argv: [],
      says: 'STAC_CASES has no case "cloudless"; there are two-granules, ',
    },
    {
      why: 'a case without a place',
      environment: { STAC_CASES: 'reprocessed@1/2' },
      argv: [],
      says: 'only two-granules and reprocessed-part take a place',
    },
    { why: 'no place', environment: { STAC_CASES: 'two-granules@1/95' }, argv: [], says: '@<longitude>/<latitude>' },
    {
      why: 'about other scenes',
      environment: { STAC_CASES: 'reprocessed', STAC_DIR: '/scenes' },
      argv: [],
      says: 'STAC_DIR',
    },
    { why: 'of an earlier version', environment: { SCENES_DIR: '/scenes' }, argv: [], says: 'into STAC_DIR' },
  ])('is refused by name when it is $why', ({ environment, argv, says }) => {
    expect(() => readOptions(environment, argv)).toThrow(says);
  });
});

describe('the ports beside PORT', () => {
  test('are remembered, except one that is taken meanwhile', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'ports-'));
    const first = await choosePorts(directory, 7071);
    expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length);
    expect(await choosePorts(directory, 7071)).toEqual(first);
    const server = createServer().listen(first.blob, '127.0.0.1');
    await once(server, 'listening');
    const second = await choosePorts(directory, 7071);
    server.close();
    expect(second.blob).not.toBe(first.blob);
    expect({ ...second, blob: 0 }).toEqual({ ...first, blob: 0 });
    rmSync(directory, { recursive: true });
  });

  test('never coincide, whatever the file says', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'ports-'));
    const { blob } = await choosePorts(directory, 7071);
    const file = join(directory, 'ports.json');
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), queue: blob }));
    const ports = await choosePorts(directory, blob);
    expect(new Set([blob, ...Object.values(ports)]).size).toBe(Object.keys(ports).length + 1);
    rmSync(directory, { recursive: true });
  });

  test('are none that an outgoing connection may take before somebody listens', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'ports-'));
    const ports = await choosePorts(directory, 7071);
    expect(Object.values(ports).filter((port) => port < 1024 || port >= 32_768)).toEqual([]);
    rmSync(directory, { recursive: true });
  });
});
