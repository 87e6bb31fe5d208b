import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { listEvents } from '../../shared/notices/log/listEvents.js';
import { EventListParameters, EventPage } from '../../shared/notices/log/noticeSchemas.js';
import { noticeOwner, requireNotices } from '../webhooks/noticeCaller.js';
import { eventPageExample } from './examples.js';

/** GET /v1/events — the caller's events, oldest first, a page at a time. */
export const eventsList = route({
  name: 'eventsList',
  method: 'GET',
  path: 'v1/events',
  caller: 'either',
  role: 'Jobs.Read',
  tag: 'Notices',
  summary: 'List events',
  description:
    'Each event once, in order, for 30 days unless the operator has set another number. A log is kept from the first call or the first webhook on, until 30 days after the last of either: the first call answers nothing but a cursor. What happens within the first minute may not be told. Store the cursor with what the events have brought about, and go on from there.',
  errors: 'enrollments',
  rate: 'list',
  query: EventListParameters,
  success: {
    status: 200,
    description: 'One page. Go on with its `cursor` and the same `types`, at once while `has_more` is true.',
    content: { 'application/json': { schema: EventPage, example: eventPageExample } },
  },
  faults: [commonFaults.notFound],
  handle: async (request, services) => {
    const ports = { ...requireNotices(services), cursorKeys: services.cursorKeys, clock: services.clock };
    const { events, cursor, hasMore } = await listEvents(ports)(noticeOwner(request), request.query);
    const items = events.map(({ body }): unknown => JSON.parse(body));
    return { status: 200, json: { items, cursor, has_more: hasMore } };
  },
});
