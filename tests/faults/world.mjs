// One running service of an experiment: hosts, storage behind the fault proxy, stand-ins, a caller, and what is seen.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordTrail } from './auditTrail.mjs';
import { Client } from './client.mjs';
import { CrashBox, crashChanges } from './crashPoints.mjs';
import { startFaultProxy } from './faultProxy.mjs';
import { seededRandom } from './random.mjs';
import { appWith, newDirectory, startService } from './runningService.mjs';
import { startSecondHost } from './secondHost.mjs';
import { StorageView } from './storageView.mjs';
import { changesWithout, movableClock, shortWaits, slowableJobs } from './variants.mjs';

/** Lease of an attempt in experiments; 60 s in the product. */
export const LEASE_SECONDS = 6;

const builds = new Map();
/** Apps are built once per program run: a build takes seconds. */
const appOf = (changes) => {
  const key = JSON.stringify(changes);
  if (!builds.has(key)) builds.set(key, appWith(changes));
  return builds.get(key);
};

/** Removes the apps that were built. */
export async function removeApps() {
  for (const app of builds.values())
    await app.then((path) => rmSync(path, { recursive: true, force: true })).catch(() => undefined);
  builds.clear();
}

const changesOf = ({ without = [], changes = [], points, clock = false, realWaits = false }) => [
  ...slowableJobs,
  ...(realWaits ? [] : shortWaits),
  ...changesWithout(without),
  ...(clock ? movableClock : []),
  ...(points === undefined ? [] : crashChanges(points)),
  ...changes,
];

/** A copy of an app that belongs to one host: its files can be replaced, as a deployment does, and its host.json set. */
async function copyOf(app, { scratch, hostJson = {} }) {
  const copy = join(scratch, 'app');
  cpSync(app, copy, { recursive: true });
  const settings = JSON.parse(readFileSync(join(copy, 'host.json'), 'utf8'));
  const { queueVisibility = settings.extensions.queues.visibilityTimeout } = hostJson;
  settings.extensions.queues.visibilityTimeout = queueVisibility;
  writeFileSync(join(copy, 'host.json'), JSON.stringify(settings));
  return copy;
}

/** The addresses by which the app reaches storage through the proxy. */
const throughProxy = (proxy) => ({
  DATA_STORAGE__tableServiceUri: `${proxy.urlOf('table')}/fielddata`,
  DATA_STORAGE__queueServiceUri: `${proxy.urlOf('queue')}/fielddata`,
  DATA_STORAGE__blobServiceUri: `${proxy.urlOf('blob')}/fielddata`,
  IMAGERY_STORAGE__blobServiceUri: `${proxy.urlOf('blob')}/fieldimagery`,
});

/** A host of the world with what belongs to it alone. */
function hostOf(process, { baseUrl, clockFile }) {
  return {
    baseUrl,
    log: process.log,
    /** SIGKILL; the host is started again. False when there was none to kill. */
    kill: () => process.killHost(),
    freeze: () => process.signalHost('SIGSTOP'),
    thaw: () => process.signalHost('SIGCONT'),
    /** Sets its clock ahead (or back, when negative); needs `clock: true`. */
    setClock: (aheadMs) => writeFileSync(clockFile, String(aheadMs)),
  };
}

/**
 * Starts a service.
 *
 * @param options
 *   `seed`; `hosts` (1 or 2 on one storage); `proxied` (storage behind the fault proxy);
 *   `without` (names of protections taken out); `points` (crash points that can be armed); `clock` (clocks that can be
 *   moved); `changes` (further changes of sources, for all hosts), `secondChanges` (for the second host alone);
 *   `realWaits` (the product's own waits); `environment` (settings); `hostJson` (`queueVisibility`: the wait before a
 *   failed message is delivered again); `ownApp` (the first host's app can be replaced)
 */
export async function startWorld(options) {
  const { seed, hosts: hostCount = 1, proxied = false, environment = {}, secondChanges = [] } = options;
  const scratch = mkdtempSync(join(tmpdir(), 'experiment-'));
  const random = seededRandom(seed);
  const directory = newDirectory();
  const proxy = proxied ? await startFaultProxy({ directory, random: seededRandom(seed + 1) }) : undefined;
  const clockFiles = [1, 2].map((number) => join(scratch, `clock-${number}`));
  const shared = {
    JOB_LEASE_SECONDS: String(LEASE_SECONDS),
    CRASH_DIRECTORY: join(scratch, 'crash'),
    JOB_PAUSE_FILE: join(scratch, 'job-pause'),
    ...(proxy === undefined ? {} : throughProxy(proxy)),
    ...environment,
  };
  const changes = changesOf(options);
  const isOwn = options.ownApp === true || options.hostJson !== undefined;
  const app = isOwn ? await copyOf(await appOf(changes), { scratch, ...options }) : await appOf(changes);
  const running = await startService({
    app,
    directory,
    environment: { ...shared, CLOCK_FILE: clockFiles[0] },
  });
  const hosts = [hostOf(running, { baseUrl: running.service.baseUrl, clockFile: clockFiles[0] })];
  const others = [];
  if (hostCount > 1) {
    const second = await startSecondHost({
      running,
      app: await appOf([...changes, ...secondChanges]),
      environment: { ...shared, CLOCK_FILE: clockFiles[1] },
    });
    others.push(second);
    hosts.push(hostOf(second, { baseUrl: second.baseUrl, clockFile: clockFiles[1] }));
  }
  const { settings, service } = running;
  const client = new Client({ service, random: seededRandom(seed + 2), baseUrls: hosts.map(({ baseUrl }) => baseUrl) });
  return {
    /** As the tenant `demo` has it. */
    service,
    settings,
    directory,
    hosts,
    proxy,
    client,
    /** Every write of a job's row that storage took; undefined without the proxy. */
    trail: proxy && recordTrail(proxy),
    random,
    points: new CrashBox(shared.CRASH_DIRECTORY),
    storage: new StorageView({ settings, caFile: service.caFile }),
    /** Replaces the app of the first host by one with these changes and restarts it; needs `ownApp`. */
    upgrade: async (more) => {
      cpSync(join(await appOf([...changes, ...more]), 'dist'), join(app, 'dist'), { recursive: true });
      hosts[0].kill();
    },
    /** What all hosts, the stand-ins and Azurite have printed. */
    logText: () => hosts.map(({ log }) => log.join('')).join('\n'),
    /** GDD jobs wait for so long before they read their field: kills and cancels then meet jobs at work. */
    slowJobs: (milliseconds) => writeFileSync(shared.JOB_PAUSE_FILE, String(milliseconds)),
    stop: async () => {
      await proxy?.clear();
      for (const host of hosts) host.thaw();
      for (const other of others) await other.stop();
      await running.stop();
      await proxy?.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
