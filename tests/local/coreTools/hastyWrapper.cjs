// Starts the host and is gone at the first signal, which it hands on to nobody.
const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

spawn(process.execPath, [join(__dirname, 'host.cjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
process.on('SIGTERM', () => process.exit(143));
writeFileSync(join(dirname(process.env.NOTES), 'starter.json'), JSON.stringify({ pid: process.pid }));
