import { TableClient } from '@azure/data-tables';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../shared/kit/clock.js';
import { FarmCountStore } from '../../../shared/farm/land/farmCounts.js';
import { FarmInsightStore } from '../../../shared/farm/insights/insightStore.js';
import { landQuota } from '../../../shared/farm/land/landQuota.js';
import { LandStore } from '../../../shared/farm/land/landStore.js';
import { sweepUp } from '../../../shared/farm/cascade/sweepUp.js';
import { randomId } from '../../../shared/kit/ids.js';
import { AzureRows } from '../../../shared/storage/azure/azureRows.js';
import type { TableName } from '../../../shared/storage/names.js';
import type { Row, Rows } from '../../../shared/storage/rows.js';
import { MemoryBlobs } from '../../support/memoryBlobs.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { WorkInMemory } from '../../support/workInMemory.js';
import { fill } from './fill.js';
import type { FarmBench } from './measure.js';

/** Rows of one answer of the platform. */
const PAGE = 1_000;
const MANY = 1_000_000_000;

class Counter {
  count = 0;
}

/** Rows in memory whose operations are counted as the platform counts them: a read for each thousand rows. */
function counted(rows: MemoryRows, counter: Counter): Rows {
  const pages = (found: readonly unknown[]): number => Math.max(1, Math.ceil(found.length / PAGE));
  return new Proxy<Rows>(rows, {
    get: (target, name: keyof Rows) => {
      if (name === 'scan') {
        return async function* (...given: Parameters<Rows['scan']>): AsyncGenerator<Row<unknown>[]> {
          const found: Row<unknown>[] = [];
          for await (const page of target.scan<unknown>(...given)) found.push(...page);
          counter.count += pages(found);
          yield found;
        };
      }
      return async (...given: unknown[]): Promise<unknown> => {
        const answer = await (target[name] as (...all: unknown[]) => Promise<unknown>).apply(target, given);
        counter.count += name === 'range' ? pages(answer as unknown[]) : 1;
        return answer;
      };
    },
  });
}

/** Land in memory: operations alone, no times. */
export async function inMemory(fields: number): Promise<FarmBench> {
  const counter = new Counter();
  const tables = new Map<TableName, MemoryRows>();
  const tableOf = (name: TableName): MemoryRows => {
    const table = tables.get(name) ?? new MemoryRows();
    tables.set(name, table);
    return table;
  };
  const tenant = randomUUID();
  const filled = await fill(tableOf, { tenant, fields });
  const rows = (name: TableName): Rows => counted(tableOf(name), counter);
  return { ...filled, ...benchOf(rows, counter, tenant), where: `${fields} fields on rows in memory` };
}

/** Land in the tables of a running service: operations are requests. */
export async function inTables(connection: string, fields: number): Promise<FarmBench> {
  const counter = new Counter();
  const clientOf = (name: TableName): TableClient =>
    TableClient.fromConnectionString(connection, name, {
      additionalPolicies: [
        {
          position: 'perRetry',
          policy: {
            name: 'count',
            sendRequest: (request, next) => {
              counter.count += 1;
              return next(request);
            },
          },
        },
      ],
    });
  const rows = (name: TableName): Rows => new AzureRows(clientOf(name), randomId);
  const tenant = randomUUID();
  const filled = await fill(rows, { tenant, fields });
  const raw = clientOf('farmFields');
  const rawRead = () => raw.getEntity(`${tenant}|${filled.large}`, 'field-7');
  return { ...filled, ...benchOf(rows, counter, tenant), rawRead, where: `${fields} fields on Azurite` };
}

function benchOf(rows: (name: TableName) => Rows, counter: Counter, tenant: string) {
  const fresh = (): LandStore => new LandStore(rows, new MemoryBlobs());
  const counts = new FarmCountStore(rows('limits'));
  const kernel = new WorkInMemory(() => systemClock);
  // The row of the work, and its message.
  const ask: typeof kernel.enqueuer.ask = (...given) => {
    counter.count += 2;
    return kernel.enqueuer.ask(...given);
  };
  return {
    ...{ tenant, fresh, clock: systemClock, newId: randomId, land: fresh(), operations: () => counter.count },
    insights: new FarmInsightStore(rows('farmInsights'), new MemoryBlobs()),
    checkQuota: landQuota({ counts, clock: systemClock }, { party: MANY, farm: MANY, field: MANY }),
    sweepUp: sweepUp({ work: { ask }, clock: systemClock, newId: randomId }),
  };
}
