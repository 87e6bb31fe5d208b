// A small app without streaming.
import { app } from '@azure/functions';

app.http('echo', {
  methods: ['GET', 'POST'],
  route: 'echo/{id}',
  handler: async (request) => ({
    headers: { 'X-Mixed-Case': 'yes' },
    jsonBody: {
      url: request.url,
      params: request.params,
      headers: Object.fromEntries(request.headers),
      query: [...request.query],
      body: await request.text(),
    },
  }),
});
app.http('nothing', { route: 'nothing', handler: () => undefined });
app.http('throws', {
  route: 'throws',
  handler: () => {
    throw new Error('planned failure');
  },
});
app.http('cookies', {
  route: 'cookies',
  handler: () => ({
    headers: [
      ['set-cookie', 'first=1'],
      ['set-cookie', 'second=2'],
    ],
  }),
});
app.http('goodCookies', {
  route: 'goodCookies',
  handler: () => ({
    cookies: [
      { name: 'first', value: '1', httpOnly: true, sameSite: 'Strict' },
      { name: 'second', value: '2', maxAge: 60, expires: new Date('2030-01-01'), secure: true, path: '/x' },
    ],
  }),
});
app.http('reset', { route: 'reset', handler: () => ({ status: 205, body: 'dropped' }) });
