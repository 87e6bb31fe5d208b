// The operations on farm data with the client that hey-api makes of the transcribed document; one line of output each.
import { client } from './hey/client.gen.js';
import * as api from './hey/sdk.gen.js';

const { BASE_URL = '', TOKEN = '', RUN = '', CASCADES = 'on' } = process.env;
client.setConfig({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${TOKEN}` }, throwOnError: true });
const throwOnError = true;
const query = { 'api-version': '2023-11-01-preview' };

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  try {
    console.log(`${name}: ${String(await run())}`);
  } catch (error) {
    console.log(`${name}: FAILED ${JSON.stringify(error).slice(0, 300)} ${String(error)}`);
  }
}
const ids = (page: { value?: readonly { id?: string }[] }): string => (page.value ?? []).map(({ id }) => id).join(' ');

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
    (await api.partiesCreateOrUpdate({ throwOnError, path: { partyId }, query, body: { name: 'Grower' } })).data.id ===
    partyId,
);
await step('party get', async () => (await api.partiesGet({ throwOnError, path: { partyId }, query })).data.name);
await step(
  'parties',
  async () =>
    ids((await api.partiesList({ throwOnError, query: { ...query, ids: [partyId, 'nobody'] } })).data) === partyId,
);
await step(
  'farm put',
  async () =>
    (await api.farmsCreateOrUpdate({ throwOnError, path: { partyId, farmId }, query, body: { name: 'Farm' } })).data
      .name,
);
await step(
  'farm get',
  async () => (await api.farmsGet({ throwOnError, path: { partyId, farmId }, query })).data.partyId === partyId,
);
await step('farms', async () =>
  ids((await api.farmsList({ throwOnError, query: { ...query, names: ['nobody'] } })).data),
);
await step('farms of party', async () =>
  ids((await api.farmsListByPartyId({ throwOnError, path: { partyId }, query })).data),
);
await step('fields put', async () => {
  for (let k = 10; k < 22; k += 1) {
    await api.fieldsCreateOrUpdate({
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
    JSON.stringify((await api.fieldsGet({ throwOnError, path: fieldPath('f10'), query })).data.geometry) ===
    JSON.stringify(geometry),
);
await step('field sent back', async () => {
  const { data } = await api.fieldsGet({ throwOnError, path: fieldPath('f10'), query });
  const whole = { ...data, description: 'Changed' };
  return (await api.fieldsCreateOrUpdate({ throwOnError, path: fieldPath('f10'), query, body: whole })).data
    .description;
});
await step('fields by pages', async () => {
  let [count, skipToken]: [number, string | undefined] = [0, undefined];
  do {
    const token: { skipToken?: string } = skipToken === undefined ? {} : { skipToken };
    const { data } = await api.fieldsSearch({
      throwOnError,
      query: { ...query, maxPageSize: 10, ...token },
      body: { partyId, farmIds: [farmId] },
    });
    count += (data.value ?? []).length;
    ({ skipToken } = data);
  } while (skipToken !== undefined);
  return count;
});
await step('fields found', async () =>
  ids(
    (
      await api.fieldsSearch({
        throwOnError,
        query,
        body: { partyId, ids: ['f12'], minCreatedDateTime: new Date(0).toISOString() },
      })
    ).data,
  ),
);
await step(
  'field removed',
  async () => (await api.fieldsDelete({ throwOnError, path: fieldPath('f21'), query })).response.status,
);
await step(
  'error',
  async () => (await api.fieldsGet({ path: fieldPath('nobody'), query, throwOnError: false })).error?.error?.code,
);

const owner = {
  partyId: 'planted',
  modelId: 'partnerAgPowered.gdd',
  resourceType: 'Field' as never,
  resourceId: 'field',
};
await step('insights', async () =>
  ids(
    (
      await api.insightsListByPartyIdModelIdAndResource({
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
    (await api.insightsGet({ throwOnError, path: { ...owner, insightId: 'insight' }, query })).data.measurements?.[
      'gdd'
    ]?.value,
);
await step('attachments', async () =>
  ids(
    (await api.insightAttachmentsList({ throwOnError, path: owner, query: { ...query, insightIds: ['insight', 'x'] } }))
      .data,
  ),
);
await step(
  'attachment',
  async () =>
    (await api.insightAttachmentsGet({ throwOnError, path: { ...owner, insightAttachmentId: 'file' }, query })).data
      .originalFileName,
);
await step('file', async () => {
  const { data } = await api.insightAttachmentsDownload({
    throwOnError,
    path: { ...owner, insightAttachmentId: 'file' },
    query,
  });
  return Buffer.from(await (data as unknown as Blob).arrayBuffer()).toString('hex');
});

const path = { jobId: `${RUN}-job` };
const untilEnded = async (look: () => Promise<{ status?: string }>): Promise<string | undefined> => {
  for (;;) {
    const { status } = await look();
    if (status !== 'Waiting' && status !== 'Running') return status;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
};
if (CASCADES === 'on') {
  await Promise.all([
    step('fields cascade', async () => {
      await api.fieldsCreateCascadeDeleteJob({ throwOnError, path, query: { ...query, partyId, fieldId: 'f20' } });
      return untilEnded(async () => (await api.fieldsGetCascadeDeleteJobDetails({ throwOnError, path, query })).data);
    }),
    step('farms cascade', async () => {
      await api.farmsCreateCascadeDeleteJob({ throwOnError, path, query: { ...query, partyId, farmId } });
      return untilEnded(async () => (await api.farmsGetCascadeDeleteJobDetails({ throwOnError, path, query })).data);
    }),
    step('parties cascade', async () => {
      await api.partiesCreateOrUpdate({ throwOnError, path: { partyId: `${partyId}-2` }, query, body: {} });
      await api.partiesCreateCascadeDeleteJob({ throwOnError, path, query: { ...query, partyId: `${partyId}-2` } });
      return untilEnded(async () => (await api.partiesGetCascadeDeleteJobDetails({ throwOnError, path, query })).data);
    }),
  ]);
}
const other = { partyId, farmId: 'other' };
await step('farm removed', async () => {
  await api.farmsCreateOrUpdate({ throwOnError, path: other, query, body: {} });
  return (await api.farmsDelete({ throwOnError, path: other, query })).response.status;
});
await step(
  'party removed',
  async () => (await api.partiesDelete({ throwOnError, path: { partyId }, query })).response.status,
);
