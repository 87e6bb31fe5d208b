import { systemClock } from '../../shared/kit/clock.js';
import type { InsightOwner } from '../../shared/farm/insights/farmInsight.js';
import { FarmInsightStore } from '../../shared/farm/insights/insightStore.js';
import { LandStore } from '../../shared/farm/land/landStore.js';
import { InsightWriter } from '../../shared/farm/insights/putInsight.js';
import { randomId } from '../../shared/kit/ids.js';
import { farmOf, newTenant } from '../contract/farmCalls.js';
import { tokenOf } from '../contract/service.js';
import { blobsOf, rowsOf } from '../contract/storage.js';

/** Bytes that are no text. */
export const FILE = 'fffe80013c';

/** A tenant with an insight and its file, which jobs write and callers read. */
export async function tenantWithInsight(): Promise<{ readonly token: string }> {
  const tenant = await newTenant();
  const { patch } = farmOf(tenant);
  await patch('/parties/planted');
  await patch('/parties/planted/fields/field');
  const insights = new FarmInsightStore(rowsOf('farmInsights'), blobsOf('farm-data'));
  const writer = new InsightWriter({
    land: new LandStore(rowsOf, blobsOf('farm-data')),
    insights,
    clock: systemClock,
    newId: randomId,
    insightsPerDay: 100,
  });
  const modelId = 'partnerAgPowered.gdd';
  const owner: InsightOwner = { tenant, partyId: 'planted', modelId, resourceType: 'Field', resourceId: 'field' };
  const author = { by: modelId, epoch: 1 };
  const [from, to] = [Date.parse('2026-05-01T00:00:00Z'), Date.parse('2026-05-31T23:59:59Z')];
  const measurements = { gdd: { unit: '°C·day', value: 212.5 } };
  await writer.put(owner, 'insight', author, () => ({ modelVersion: '1.0', from, to, measurements }));
  const file = {
    insightId: 'insight',
    originalFileName: 'gdd.csv',
    contentType: 'text/csv',
    bytes: Buffer.from(FILE, 'hex'),
  };
  await writer.putFile(owner, 'file', author, file);
  return { token: tokenOf(tenant, '--roles', 'Farm.ReadWrite') };
}

/** What a program wrote: the outcome of each step by its name. */
export function stepsIn(output: string): Readonly<Record<string, string>> {
  const steps = output
    .split('\n')
    .map((line) => /^([\w -]+): (.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name = '', outcome = '']) => [name, outcome] as const);
  return Object.fromEntries(steps);
}
