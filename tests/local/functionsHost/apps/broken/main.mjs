// An app with whatever fault BREAK names.
import { app } from '@azure/functions';

const faults = {
  throws: () => {
    throw new Error('the entry point is broken');
  },
  empty: () => {},
  reserved: () => app.http('a', { route: 'admin/x', handler: () => ({}) }),
  twice: () => [1, 2].map(() => app.http('same', { handler: () => ({}) })),
  blob: () => app.storageBlob('b', { path: 'x', connection: 'DATA_STORAGE', handler: () => {} }),
  connection: () => app.storageQueue('q', { queueName: 'x', connection: 'NOWHERE', handler: () => {} }),
  name: () =>
    app.storageQueue('q', { queueName: '%NO_SUCH_NAME%', connection: 'AzureWebJobsStorage', handler: () => {} }),
  timeout: () =>
    app.http('slow', { route: 'slow', handler: () => new Promise((resolve) => setTimeout(resolve, 60_000)) }),
};
faults[process.env.BREAK]();
