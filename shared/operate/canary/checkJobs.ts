import { addDays } from '../../kit/validation/calendar.js';
import { expectThat, type CanaryCaller, type CanaryReply } from './canaryCaller.js';

const JOB_LIMIT_MS = 5 * 60_000;

/** One solution with one spelling of its address: some front ends treat `:` and `%3A` differently. */
interface JobRoute {
  readonly solution: 'gdd' | 'smartBoundary';
  readonly colon: ':' | '%3A';
  readonly requestPath: string;
}

const operate = (client: CanaryCaller, { solution, colon }: JobRoute, operation: string, body: object) =>
  client.askWithToken(`/solutions/partnerAgPowered.${solution}${colon}${operation}`, body);

async function create(client: CanaryCaller, route: JobRoute, parameters: object): Promise<void> {
  const body = { requestPath: route.requestPath, partnerRequestBody: parameters };
  const created = await operate(client, route, 'create', body);
  expectThat(created.status === 202, `202 for ${route.solution}${route.colon}create`, created);
  const again = await operate(client, route, 'create', body);
  expectThat(again.status === 409, '409 for the same id again', again);
}

async function untilInsight(client: CanaryCaller, route: JobRoute): Promise<void> {
  const { requestPath } = route;
  const ended = await client.until<CanaryReply>('The end of the job', JOB_LIMIT_MS, async () => {
    const fetched = await operate(client, route, 'fetch', { requestPath });
    expectThat(fetched.status === 200, `200 for ${route.solution}${route.colon}fetch`, fetched);
    return ['WAITING', 'RUNNING'].includes(fetched.json.status ?? '') ? undefined : fetched;
  });
  expectThat(ended.json.status === 'SUCCEEDED', 'a job that succeeds', ended.json);
  const insight = await client.askWithToken(`/v1/insights/${ended.json.insightId ?? ''}`);
  expectThat(insight.status === 200, '200 for the insight', insight.status);
}

async function cancelled(client: CanaryCaller, route: JobRoute): Promise<void> {
  const { requestPath } = route;
  const fetched = await operate(client, route, 'fetch', { requestPath });
  expectThat(fetched.status === 200, `200 for ${route.solution}${route.colon}fetch`, fetched);
  const answer = await operate(client, route, 'cancel', { requestPath });
  // A worker may have ended the job before, since the party is unknown.
  expectThat([200, 409].includes(answer.status), '200 or 409 for the cancel', answer);
}

const dayOf = (client: CanaryCaller): string => client.ports.clock.now().toISOString().slice(0, 10);

/** A GDD job up to its insight when the target has a field; else the job is fetched and cancelled. */
export async function checkGdd(client: CanaryCaller): Promise<string> {
  const { partyId, fieldId } = client.target;
  const season = Number(dayOf(client).slice(0, 4)) - 1;
  for (const colon of [':', '%3A'] as const) {
    const route: JobRoute = { solution: 'gdd', colon, requestPath: `/v1/gdd/canary-${client.ports.newId()}` };
    await create(client, route, {
      partyId: partyId ?? client.ports.newId(),
      resourceType: 'Field',
      resourceId: fieldId ?? client.ports.newId(),
      crop: 'CORN',
      gddStartDate: `${season}-05-01`,
      gddEndDate: `${season}-05-31`,
    });
    await (partyId !== undefined && fieldId !== undefined ? untilInsight(client, route) : cancelled(client, route));
  }
  return partyId === undefined ? 'created, found, refused twice and cancelled' : 'two insights';
}

/** A Smart Boundary job at the point, with scenes of twelve days three weeks ago. */
export async function checkSmartBoundary(client: CanaryCaller): Promise<string> {
  const { partyId, farmId, point = [0, 0] } = client.target;
  const requestPath = `/v1/smart-boundary/canary-${client.ports.newId()}`;
  const route: JobRoute = { solution: 'smartBoundary', colon: ':', requestPath };
  const imageStartDate = addDays(dayOf(client), -21);
  await create(client, route, {
    partyId,
    resourceType: 'Farm',
    resourceId: farmId,
    imageStartDate,
    imageEndDate: addDays(imageStartDate, 11),
    pointOnSurface: { longitude: point[0], latitude: point[1] },
  });
  await untilInsight(client, route);
  return 'an insight';
}
