// Events sent to a custom topic with the client that npm has, by the service's identity.
import { readFileSync } from 'node:fs';
import { EventGridPublisherClient } from '@azure/eventgrid';
import { ManagedIdentityCredential } from '@azure/identity';

const { TOPIC_URL = '', EVENTS = '' } = process.env;
const events = JSON.parse(readFileSync(EVENTS, 'utf8')).map((body) => {
  const { specversion: _version, time, sequence, ...event } = JSON.parse(body);
  return { ...event, time: new Date(time), extensionAttributes: { sequence } };
});
const options = { retryOptions: { maxRetries: 0 } };
await new EventGridPublisherClient(TOPIC_URL, 'CloudEvent', new ManagedIdentityCredential(), options).send(events);
