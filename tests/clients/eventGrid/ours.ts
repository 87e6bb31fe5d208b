// The same events, sent by the service's own client.
import { readFileSync } from 'node:fs';
import { GRID_SCOPE, gridClient } from '../../../shared/notices/eventGrid/gridClient.js';
import { managedIdentity } from '../../../shared/wiring/clients/managedIdentity.js';

const { TOPIC_URL = '', EVENTS = '' } = process.env;
const credential = managedIdentity(undefined);
const send = gridClient({
  topicUrl: TOPIC_URL,
  getToken: async () => (await credential.getToken(GRID_SCOPE)).token,
  fetch,
});
const { status } = await send(JSON.parse(readFileSync(EVENTS, 'utf8')) as string[]);
if (status !== 200) throw new Error(`Event Grid has answered ${String(status)}.`);
