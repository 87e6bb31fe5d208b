import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isFree } from './freePort.mjs';

/** The ports beside PORT, by what answers there. */
const names = [
  ...(['blob', 'queue', 'table', 'identity', 'weather', 'keyVault', 'stac'] as const),
  ...(['authority', 'foreignVault', 'unconsentedVault', 'storageReader', 'https'] as const),
] as const;
export type Ports = Readonly<Record<(typeof names)[number], number>>;

/** Fails when another process listens on the port that a variable names; 0 stands for any. */
export async function requireFreePort(variable: string, port: number): Promise<void> {
  if (port === 0 || (await isFree(port))) return;
  throw new Error(
    `Port ${port} is in use by another process. Stop that one, or set ${variable} to a free port, e.g. ${variable}=${port + 10}.`,
  );
}

function rememberedPorts(file: string): Partial<Ports> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Ports>;
  } catch {
    return {}; // The first start, or a damaged file: any free ports will do.
  }
}

/** Any free ports, each taken when it is listened on. */
export const anyPorts: Ports = {
  blob: 0,
  queue: 0,
  table: 0,
  identity: 0,
  weather: 0,
  keyVault: 0,
  stac: 0,
  authority: 0,
  foreignVault: 0,
  unconsentedVault: 0,
  storageReader: 0,
  https: 0,
};

/**
 * Free ports for everything but the service. Those of the last start are taken again when they are free, so that
 * addresses that were copied somewhere go on working; two copies side by side never share one.
 */
export async function choosePorts(directory: string, servicePort: number): Promise<Ports> {
  const file = join(directory, 'ports.json');
  const remembered = rememberedPorts(file);
  const taken = new Set([servicePort]);
  const chosen: Record<string, number> = {};
  for (const name of names) {
    const earlier = remembered[name];
    const isThere = earlier !== undefined && !taken.has(earlier) && (await isFree(earlier));
    let port = isThere ? earlier : await freePort();
    while (taken.has(port)) port = await freePort();
    taken.add(port);
    chosen[name] = port;
  }
  const ports = chosen as Ports;
  writeFileSync(file, JSON.stringify(ports));
  return ports;
}
