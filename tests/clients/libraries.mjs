// Libraries that receivers use, installed for tests/clients alone: what else is checked for types knows libraries.d.mts.
export { HTTP } from 'cloudevents';
export { Webhook } from 'standardwebhooks';
