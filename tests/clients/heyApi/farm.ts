// The operations on farm data with the client that hey-api makes of our own document; one line of output each.
import { client } from './hey/client.gen.js';
import * as api from './hey/sdk.gen.js';

const { BASE_URL = '', TOKEN = '', RUN = '', CASCADES = 'on' } = process.env;
client.setConfig({ baseUrl: BASE_URL, auth: () => TOKEN, throwOnError: true });
const throwOnError = true;
const query = { 'api-version': '2023-11-01-preview' };

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  try {
    console.log(`${name}: ${String(await run())}`);
  } catch (error) {
    console.log(`${name}: FAILED ${JSON.stringify(error).slice(0, 300)} ${String(error)}`);
  }
}
const ids = (page: { value: readonly { id: string }[] }): string => page.value.map(({ id }) => id).join(' ');

const [partyId, farmId] = [`${RUN}-party`, 'farm'];
const ring = [
  [10, 50],
  [10.01, 50],
  [10.01, 50.01],
  [10, 50.01],
  [10, 50],
];
const geometry = { type: 'Polygon' as const, coordinates: [ring] };
const fieldPath = (fieldId: string) => ({ partyId, fieldId });

await step(
  'party put',
  async () =>
    (await api.farmPartyPut({ throwOnError, path: { partyId }, query, body: { name: 'Grower' } })).data.id === partyId,
);
await step('party get', async () => (await api.farmPartyGet({ throwOnError, path: { partyId }, query })).data.name);
await step(
  'parties',
  async () =>
    ids((await api.farmPartiesList({ throwOnError, query: { ...query, ids: [partyId, 'nobody'] } })).data) === partyId,
);
await step(
  'farm put',
  async () =>
    (await api.farmFarmPut({ throwOnError, path: { partyId, farmId }, query, body: { name: 'Farm' } })).data.name,
);
await step(
  'farm get',
  async () => (await api.farmFarmGet({ throwOnError, path: { partyId, farmId }, query })).data.partyId === partyId,
);
await step('farms', async () =>
  ids((await api.farmFarmsList({ throwOnError, query: { ...query, names: ['nobody'] } })).data),
);
await step('farms of party', async () =>
  ids((await api.farmFarmsOfPartyList({ throwOnError, path: { partyId }, query })).data),
);
await step('fields put', async () => {
  for (let k = 10; k < 22; k += 1) {
    await api.farmFieldPut({
      throwOnError,
      path: fieldPath(`f${k}`),
      query,
      body: { name: `Field ${k}`, farmId, geometry },
    });
  }
  return 'twelve';
});
await step(
  'field get',
  async () =>
    JSON.stringify((await api.farmFieldGet({ throwOnError, path: fieldPath('f10'), query })).data.geometry) ===
    JSON.stringify(geometry),
);
await step('field sent back', async () => {
  const { data } = await api.farmFieldGet({ throwOnError, path: fieldPath('f10'), query });
  const whole = { ...data, description: 'Changed' };
  return (await api.farmFieldPut({ throwOnError, path: fieldPath('f10'), query, body: whole })).data.description;
});
await step('fields of ids', async () =>
  ids(
    (await api.farmFieldsOfPartyList({ throwOnError, path: { partyId }, query: { ...query, ids: ['f10', 'f11'] } }))
      .data,
  ),
);
await step('fields since', async () => {
  const since = { minCreatedDateTime: new Date(0).toISOString(), farmIds: [farmId] };
  return (await api.farmFieldsOfPartyList({ throwOnError, path: { partyId }, query: { ...query, ...since } })).data
    .value.length;
});
await step('fields by pages', async () => {
  let [count, skipToken]: [number, string | undefined] = [0, undefined];
  do {
    const token: { skipToken?: string } = skipToken === undefined ? {} : { skipToken };
    const { data } = await api.farmFieldsList({
      throwOnError,
      query: { ...query, maxPageSize: 10, farmIds: [farmId], ...token },
    });
    count += data.value.filter((field) => field.partyId === partyId).length;
    ({ skipToken } = data);
  } while (skipToken !== undefined);
  return count;
});
await step('fields found', async () =>
  ids((await api.farmFieldsSearch({ throwOnError, query, body: { partyId, ids: ['f12'] } })).data),
);
await step(
  'field removed',
  async () => (await api.farmFieldRemove({ throwOnError, path: fieldPath('f21'), query })).response.status,
);
await step(
  'error',
  async () => (await api.farmFieldGet({ path: fieldPath('nobody'), query, throwOnError: false })).error?.error.code,
);

const owner = { partyId: 'planted', modelId: 'partnerAgPowered.gdd', resourceType: 'Field', resourceId: 'field' };
await step('insights', async () =>
  ids(
    (
      await api.farmInsightsList({
        throwOnError,
        path: owner,
        query: { ...query, minInsightStartDateTime: new Date(0).toISOString() },
      })
    ).data,
  ),
);
await step(
  'insight',
  async () =>
    (await api.farmInsightGet({ throwOnError, path: { ...owner, insightId: 'insight' }, query })).data.measurements[
      'gdd'
    ]?.value,
);
await step('attachments', async () =>
  ids(
    (await api.farmAttachmentsList({ throwOnError, path: owner, query: { ...query, insightIds: ['insight', 'x'] } }))
      .data,
  ),
);
await step(
  'attachment',
  async () =>
    (await api.farmAttachmentGet({ throwOnError, path: { ...owner, attachmentId: 'file' }, query })).data
      .originalFileName,
);
await step('file', async () => {
  const { data } = await api.farmAttachmentFileGet({ throwOnError, path: { ...owner, attachmentId: 'file' }, query });
  return Buffer.from(await (data as Blob).arrayBuffer()).toString('hex');
});

const path = { jobId: `${RUN}-job` };
const untilEnded = async (look: () => Promise<{ status: string }>): Promise<string> => {
  for (;;) {
    const { status } = await look();
    if (status !== 'Waiting' && status !== 'Running') return status;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
};
if (CASCADES === 'on') {
  await Promise.all([
    step('fields cascade', async () => {
      await api.farmCascadeFieldPut({ throwOnError, path, query: { ...query, partyId, fieldId: 'f20' } });
      return untilEnded(async () => (await api.farmCascadeFieldGet({ throwOnError, path, query })).data);
    }),
    step('farms cascade', async () => {
      await api.farmCascadeFarmPut({ throwOnError, path, query: { ...query, partyId, farmId } });
      return untilEnded(async () => (await api.farmCascadeFarmGet({ throwOnError, path, query })).data);
    }),
    step('parties cascade', async () => {
      await api.farmPartyPut({ throwOnError, path: { partyId: `${partyId}-2` }, query, body: {} });
      await api.farmCascadePartyPut({ throwOnError, path, query: { ...query, partyId: `${partyId}-2` } });
      return untilEnded(async () => (await api.farmCascadePartyGet({ throwOnError, path, query })).data);
    }),
  ]);
}
const other = { partyId, farmId: 'other' };
await step('farm removed', async () => {
  await api.farmFarmPut({ throwOnError, path: other, query, body: {} });
  return (await api.farmFarmRemove({ throwOnError, path: other, query })).response.status;
});
await step(
  'party removed',
  async () => (await api.farmPartyRemove({ throwOnError, path: { partyId }, query })).response.status,
);
