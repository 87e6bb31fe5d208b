import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Caller } from './calls.js';
import { countRequests, RequestLog, type RequestCount } from './requestLog.js';
import { startLoadedService, type LoadedService, type ServiceOptions } from './runningService.js';
import { StorageOfService } from './storageOfService.js';

/** A running service whose storage requests are counted. */
export interface CountedService {
  readonly loaded: LoadedService;
  readonly caller: Caller;
  readonly storage: StorageOfService;
  /** What the host asked of storage since the last call of this. */
  readonly taken: () => Promise<RequestCount>;
}

/** What the host still does after its answer comes within this time. */
const SETTLE_MS = 300;

/** Lends a counted service to a piece of work and takes it down afterwards. */
export async function withCountedService<T>(
  options: Pick<ServiceOptions, 'functions' | 'environment'>,
  work: (service: CountedService) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'count-'));
  const file = join(folder, 'requests.log');
  const environment = { ...options.environment, COUNT_FILE: file };
  const loaded = await startLoadedService({ ...options, environment, preload: 'tools/smoke/countRequests.mjs' });
  const caller = new Caller(loaded.service.baseUrl);
  const log = new RequestLog(file);
  try {
    return await work({
      loaded,
      caller,
      storage: new StorageOfService(loaded),
      taken: async () => {
        await pause(SETTLE_MS);
        return countRequests(log.take());
      },
    });
  } finally {
    caller.close();
    await loaded.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
