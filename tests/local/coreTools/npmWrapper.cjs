// Starts the host as the npm package of Core Tools does (its lib/main.js): signals are handed on, the end is the host's.
const { spawn } = require('node:child_process');
const { join } = require('node:path');

const host = spawn(process.execPath, [join(__dirname, 'host.cjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
host.on('exit', (code) => process.exit(code));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => host.kill(signal));
