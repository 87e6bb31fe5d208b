// A small app in streaming mode that shows what a function sees.
import { app } from '@azure/functions';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

app.setup({ enableHttpStream: true });

const seen = async (request, context) => ({
  url: request.url,
  method: request.method,
  params: request.params,
  headers: Object.fromEntries(request.headers),
  query: [...request.query],
  functionName: context.functionName,
  traceParent: context.traceContext.traceParent,
  body: await request.text(),
});

app.http('echoItem', {
  methods: ['GET', 'POST', 'HEAD'],
  route: 'items/{itemId}',
  handler: async (request, context) => ({ jsonBody: await seen(request, context) }),
});
app.http('actionCreate', {
  methods: ['POST'],
  route: 'solutions/partner.gdd:create',
  handler: async (request, context) => ({ status: 202, jsonBody: await seen(request, context) }),
});
app.http('bytes', {
  methods: ['POST'],
  route: 'bytes',
  handler: async (request, context) => {
    let bytes = 0;
    let chunks = 0;
    for await (const chunk of request.body) {
      bytes += chunk.length;
      chunks += 1;
      context.log(`${bytes} bytes so far`);
    }
    return { jsonBody: { bytes, chunks } };
  },
});
app.http('early', {
  methods: ['POST'],
  route: 'early',
  handler: async (request) => {
    for await (const _chunk of request.body) return { status: 413, body: 'too large' };
    return { status: 200 };
  },
});
app.http('drained', {
  methods: ['POST'],
  route: 'drained',
  handler: async (request) => {
    const chunks = request.body[Symbol.asyncIterator]();
    const drain = async () => {
      while (!(await chunks.next()).done);
    };
    await chunks.next();
    void drain();
    return { status: 413, body: 'too large' };
  },
});
app.http('throws', {
  route: 'throws',
  handler: () => {
    throw new Error('planned failure');
  },
});
app.http('nothing', { route: 'nothing', handler: () => undefined });
app.http('text', { route: 'text', handler: () => 'a bare string' });
app.http('empty', { route: 'empty', handler: () => ({ status: 204, jsonBody: { dropped: true } }) });
app.http('cookies', {
  route: 'cookies',
  handler: () => ({
    headers: [
      ['set-cookie', 'first=1'],
      ['set-cookie', 'second=2'],
      ['X-Mixed-Case', 'yes'],
    ],
  }),
});
// What comes next of an answer comes when the test has seen what came before.
let goOn = () => undefined;
const nextAsked = () => new Promise((resolve) => (goOn = resolve));
app.http('next', {
  route: 'next',
  handler: () => {
    goOn();
    return { status: 204 };
  },
});
app.http('chunks', {
  route: 'chunks',
  handler: () => ({
    body: (async function* () {
      yield Buffer.from('one ');
      await nextAsked();
      yield Buffer.from('two');
    })(),
  }),
});
app.http('breaks', {
  route: 'breaks',
  handler: () => ({
    body: (async function* () {
      yield Buffer.from('part');
      await nextAsked();
      throw new Error('planned failure');
    })(),
  }),
});
app.http('hooked', { route: 'hooked', handler: () => ({ body: 'from the function' }) });
app.http('healed', {
  route: 'healed',
  handler: () => {
    throw new Error('planned failure');
  },
});
app.http('registersLate', {
  route: 'late',
  handler: () => {
    try {
      app.http('tooLate', { handler: () => ({}) });
      return { body: 'registered' };
    } catch (error) {
      return { body: error.message };
    }
  },
});
// Runs until the test makes the file.
app.http('held', {
  route: 'held/{number:int}',
  handler: async (request, context) => {
    context.log('held begins');
    while (!existsSync(process.env.RELEASED)) await sleep(10);
    context.log('held ends');
    return { body: 'held' };
  },
});
app.http('fatal', {
  methods: ['POST'],
  route: 'fatal',
  handler: () => {
    void Promise.reject(new Error('nobody catches this'));
    return { status: 200 };
  },
});

app.hook.preInvocation((context) => {
  if (context.invocationContext.functionName !== 'hooked') return;
  context.hookData.before = 'before';
  context.inputs = [context.inputs[0].url];
  context.functionHandler = (url) => ({ body: `replaced for ${new URL(url).pathname}` });
});
app.hook.postInvocation((context) => {
  const { functionName } = context.invocationContext;
  if (functionName === 'hooked') context.result.body += `, ${context.hookData.before} and after`;
  if (functionName !== 'healed') return;
  context.result = { body: `healed of ${context.error.message}` };
  context.error = null;
});
app.hook.appStart(() => console.log('hook appStart'));
app.hook.appTerminate(() => console.log('hook appTerminate'));
app.hook.log((context) => {
  if (context.category === 'user') context.message = context.message.replace('secret', '***');
});

if (process.env.DATA_STORAGE) {
  app.storageQueue('takeMessage', {
    queueName: '%WORK_QUEUE%',
    connection: 'DATA_STORAGE',
    extraOutputs: [{ type: 'queue', name: 'next', queueName: 'results', connection: 'DATA_STORAGE' }],
    handler: async (message, context) => {
      context.log(`took ${JSON.stringify(message)} delivery ${context.triggerMetadata.dequeueCount}`);
      if (message.sleepMs) await sleep(message.sleepMs);
      if (message.fail) throw new Error('planned failure');
      if (message.results) context.extraOutputs.set('next', message.results);
      context.log(`done ${message.id ?? message}`);
    },
  });
  app.storageQueue('poisoned', {
    queueName: '%WORK_QUEUE%-poison',
    connection: 'DATA_STORAGE',
    handler: (message, context) => context.log(`poisoned ${JSON.stringify(message)}`),
  });
}
if (process.env.TICK) {
  app.timer('tick', {
    retry: { strategy: 'fixedDelay', delayInterval: 1000, maxRetryCount: 1 },
    schedule: '%TICK%',
    runOnStartup: process.env.TICK_AT_START === '1',
    handler: (timer, context) => context.log(`tick ${timer.isPastDue} secret`),
  });
}
if (process.env.CATCH_ALL) {
  app.http('zzUnknown', {
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'],
    route: '{*path}',
    handler: (request) => ({ status: 404, jsonBody: { path: request.params.path ?? null } }),
  });
}
