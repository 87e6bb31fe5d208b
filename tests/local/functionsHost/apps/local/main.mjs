// A small app that tells which settings it was started with.
import { app } from '@azure/functions';

app.setup({ enableHttpStream: true });
app.http('health', { methods: ['GET'], route: 'health', handler: () => ({ jsonBody: { pid: process.pid } }) });
app.http('settings', { methods: ['GET'], route: 'settings', handler: () => ({ jsonBody: process.env }) });
