// A CommonJS entry point beside an ES module one.
const { app } = require('@azure/functions');

app.http('legacy', { route: 'legacy', authLevel: 'function', handler: () => ({ body: 'from CommonJS' }) });
