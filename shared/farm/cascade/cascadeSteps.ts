import { limiter } from '../../kit/limiter.js';
import { typeOfLand } from '../insights/farmInsight.js';
import type { FarmInsightStore } from '../insights/insightStore.js';
import type { LandKey, LandKind } from '../land/land.js';
import type { LandStore } from '../land/landStore.js';
import type { CascadeCounts } from './cascadeJob.js';

export interface CascadeStepPorts {
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
}

/** Fields whose insights are deleted at the same time. */
const FIELDS_AT_ONCE = 16;

export const NOTHING: CascadeCounts = { farms: 0, fields: 0, insights: 0, attachments: 0 };

/** What one transaction of a step has deleted. */
type Deleted = Partial<CascadeCounts>;
/** Goes from transaction to transaction; begun again it does what is left. */
type CascadeStep = (ports: CascadeStepPorts, target: LandKey) => AsyncIterable<Deleted>;

/**
 * What is deleted below a marked resource. Between two steps time passes until no writer can be under way: whoever has read
 * a farm may still insert a field of it, and whoever has read a field an insight.
 */
export const stepsOf: Readonly<Record<LandKind, readonly CascadeStep[]>> = {
  party: [childrenOfParty('farm'), childrenOfParty('field'), insightsOfParty],
  farm: [marksOfFields, fieldsOfFarm],
  field: [insightsOf],
};

function childrenOfParty(kind: 'farm' | 'field'): CascadeStep {
  return async function* ({ land }, { tenant, partyId }) {
    for (;;) {
      const count = await land.removeSome({ kind, tenant, partyId });
      if (count === 0) return;
      yield kind === 'farm' ? { farms: count } : { fields: count };
    }
  };
}

async function* insightsOfParty({ land, insights }: CascadeStepPorts, party: LandKey): AsyncGenerator<Deleted> {
  for (;;) {
    const removed = await insights.removeSome(party);
    if (removed.insights + removed.attachments === 0) break;
    yield removed;
  }
  await Promise.all([insights.removeFiles(party), land.removeShapes(party)]);
}

async function* insightsOf({ insights }: CascadeStepPorts, target: LandKey): AsyncGenerator<Deleted> {
  const resource = { resourceType: typeOfLand[target.kind], resourceId: target.id };
  for (;;) {
    const removed = await insights.removeSome(target, resource);
    if (removed.insights + removed.attachments === 0) return;
    yield removed;
  }
}

async function* marksOfFields({ land }: CascadeStepPorts, farm: LandKey): AsyncGenerator<Deleted> {
  let last: string | undefined;
  do {
    last = await land.markFieldsOf(farm, last);
    yield {};
  } while (last !== undefined);
}

/** The fields, each behind its insights; at last the insights of the farm. */
async function* fieldsOfFarm(ports: CascadeStepPorts, farm: LandKey): AsyncGenerator<Deleted> {
  const atOnce = limiter(FIELDS_AT_ONCE);
  for (;;) {
    const ids = await ports.land.someFieldsOf(farm);
    if (ids.length === 0) break;
    const removed = await Promise.all(
      ids.map((id) => atOnce(() => allInsightsOf(ports, { ...farm, kind: 'field', id }))),
    );
    await ports.land.deleteMany({ ...farm, kind: 'field' }, ids);
    yield { ...removed.reduce(added, NOTHING), fields: ids.length };
  }
  yield* insightsOf(ports, farm);
}

async function allInsightsOf(ports: CascadeStepPorts, field: LandKey): Promise<CascadeCounts> {
  let sum = NOTHING;
  for await (const deleted of insightsOf(ports, field)) sum = added(sum, deleted);
  return sum;
}

export const added = (sum: CascadeCounts, more: Deleted): CascadeCounts => ({
  farms: sum.farms + (more.farms ?? 0),
  fields: sum.fields + (more.fields ?? 0),
  insights: sum.insights + (more.insights ?? 0),
  attachments: sum.attachments + (more.attachments ?? 0),
});
