// The operations on farm data with the client of the known product, as npm has it; one line of output each.
import FarmBeats, { getLongRunningPoller, isUnexpected, paginate } from '@azure-rest/agrifood-farming';

const { BASE_URL = '', TOKEN = '', API_VERSION, RUN = '', CASCADES = 'on' } = process.env;
const credential = { getToken: async () => ({ token: TOKEN, expiresOnTimestamp: Date.now() + 3_600_000 }) };
const client = FarmBeats(BASE_URL, credential, {
  ...(API_VERSION === undefined ? {} : { apiVersion: API_VERSION }),
  // Its own waits are of minutes.
  retryOptions: { maxRetries: 1, retryDelayInMs: 10 },
});

/** The body of an answer that is no error. */
function bodyOf(answer) {
  if (isUnexpected(answer) || Number(answer.status) >= 400)
    throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
async function step(name, run) {
  try {
    console.log(`${name}: ${String(await run())}`);
  } catch (error) {
    console.log(`${name}: FAILED ${String(error.message).slice(0, 300)}`);
  }
}

const merge = { contentType: 'application/merge-patch+json' };
const ids = (body) => body.value.map(({ id }) => id).join(' ');
const [P, F] = [`${RUN}-party`, 'farm'];
const party = client.path('/parties/{partyId}', P);
const farm = client.path('/parties/{partyId}/farms/{farmId}', P, F);
const fieldOf = (id) => client.path('/parties/{partyId}/fields/{fieldId}', P, id);
const fields = client.path('/parties/{partyId}/fields', P);
const geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 50],
      [10.01, 50],
      [10.01, 50.01],
      [10, 50.01],
      [10, 50],
    ],
  ],
};

await step(
  'party put',
  async () => bodyOf(await party.patch({ ...merge, body: { name: 'Grower', properties: { since: 1999 } } })).id === P,
);
await step('party get', async () => bodyOf(await party.get()).name);
await step(
  'parties',
  async () =>
    ids(bodyOf(await client.path('/parties').get({ queryParameters: { ids: [P, 'nobody'], names: ['Grower'] } }))) ===
    P,
);
await step('farm put', async () => bodyOf(await farm.patch({ ...merge, body: { name: 'Farm' } })).name);
await step('farm get', async () => bodyOf(await farm.get()).partyId === P);
await step('farms', async () =>
  ids(bodyOf(await client.path('/farms').get({ queryParameters: { propertyFilters: ['a eq b'] } }))),
);
await step('farms of party', async () => ids(bodyOf(await client.path('/parties/{partyId}/farms', P).get())));
await step('fields put', async () => {
  for (let k = 10; k < 22; k += 1) {
    bodyOf(
      await fieldOf(`f${k}`).patch({ ...merge, body: { name: `Field ${k}`, farmId: F, geometry, status: 'New' } }),
    );
  }
  return 'twelve';
});
await step(
  'field get',
  async () => JSON.stringify(bodyOf(await fieldOf('f10').get()).geometry) === JSON.stringify(geometry),
);
await step('field sent back', async () => {
  const whole = bodyOf(await fieldOf('f10').get());
  return bodyOf(await fieldOf('f10').patch({ ...merge, body: { ...whole, description: 'Changed' } })).description;
});
await step('fields of ids', async () => ids(bodyOf(await fields.get({ queryParameters: { ids: ['f10', 'f11'] } }))));
await step(
  'fields of farms',
  async () =>
    bodyOf(await fields.get({ queryParameters: { farmIds: [F, 'other'], statuses: ['New', 'Old'] } })).value.length,
);
await step(
  'fields since',
  async () =>
    bodyOf(
      await fields.get({
        queryParameters: { minCreatedDateTime: new Date(0), maxCreatedDateTime: new Date(Date.now() + 60_000) },
      }),
    ).value.length,
);
await step('fields by pages', async () => {
  const first = await client.path('/fields').get({ queryParameters: { maxPageSize: 10, farmIds: [F] } });
  bodyOf(first);
  let count = 0;
  for await (const { id } of paginate(client, first)) count += id === undefined ? 0 : 1;
  return count;
});
await step('fields found', async () => {
  const answer = await client.pathUnchecked('/fields:search').post({ body: { partyId: P, ids: ['f12'] } });
  return ids(bodyOf(answer));
});
await step('field removed', async () => (await fieldOf('f21').delete()).status);
await step('error', async () => (await fieldOf('nobody').get()).body.error.code);
await step(
  'If-Match',
  async () => (await fieldOf('f10').patch({ ...merge, headers: { 'If-Match': '"other"' }, body: {} })).status,
);

const owner = ['planted', 'partnerAgPowered.gdd', 'Field', 'field'];
const OWNER = '/parties/{partyId}/models/{modelId}/resource-types/{resourceType}/resources/{resourceId}';
await step('insights', async () =>
  ids(
    bodyOf(
      await client
        .path(`${OWNER}/insights`, ...owner)
        .get({ queryParameters: { minInsightStartDateTime: new Date(0), measurementFilters: ['gdd.unit eq °C·day'] } }),
    ),
  ),
);
await step(
  'insight',
  async () =>
    bodyOf(await client.path(`${OWNER}/insights/{insightId}`, ...owner, 'insight').get()).measurements.gdd.value,
);
await step('attachments', async () =>
  ids(
    bodyOf(
      await client
        .path(`${OWNER}/insight-attachments`, ...owner)
        .get({ queryParameters: { insightIds: ['insight', 'other'] } }),
    ),
  ),
);
await step(
  'attachment',
  async () =>
    bodyOf(await client.path(`${OWNER}/insight-attachments/{insightAttachmentId}`, ...owner, 'file').get())
      .originalFileName,
);
await step('file', async () => {
  const answer = await client
    .path(`${OWNER}/insight-attachments/{insightAttachmentId}/file`, ...owner, 'file')
    .get()
    .asNodeStream();
  const chunks = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('hex');
});

/** Begun together: each takes the time of those who may still be writing. */
const cascades = [
  ['fields', { partyId: P, fieldId: 'f20' }],
  ['farms', { partyId: P, farmId: F }],
  ['parties', { partyId: `${P}-2` }],
];
await step(
  'another party',
  async () => (await client.path('/parties/{partyId}', `${P}-2`).patch({ ...merge, body: {} })).status,
);
await Promise.all(
  (CASCADES === 'on' ? cascades : []).map(([folder, queryParameters]) =>
    step(`${folder} cascade`, async () => {
      const begun = await client.path(`/${folder}/cascade-delete/{jobId}`, `${RUN}-job`).put({ queryParameters });
      bodyOf(begun);
      const ended = await (await getLongRunningPoller(client, begun, { intervalInMs: 1_000 })).pollUntilDone();
      return `${ended.body.status} ${ended.body.resourceType}`;
    }),
  ),
);
await step(
  'cascade get',
  async () => bodyOf(await client.path('/fields/cascade-delete/{jobId}', `${RUN}-job`).get()).status,
);
await step('farm removed', async () => {
  const other = client.path('/parties/{partyId}/farms/{farmId}', P, 'other');
  bodyOf(await other.patch({ ...merge, body: {} }));
  return (await other.delete()).status;
});
await step('party removed', async () => (await party.delete()).status);
