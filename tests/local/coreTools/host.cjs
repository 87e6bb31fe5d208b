// Stands for Core Tools as they end: `start --port <port>` serves requests by a worker process of its own. SIGTERM
// closes the socket at once, lets what runs in the worker end, tells the worker to go, and ends. A worker that dies
// with its work is noted like the real host's WorkerProcessExitException, and its requests get 500.
const { fork } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { connect } = require('node:net');
const { join } = require('node:path');

const note = (line) => appendFileSync(process.env.NOTES, `${line}\n`);
const worker = fork(join(__dirname, 'worker.cjs'), { stdio: 'inherit' });
const held = new Map();
let running = 0;
let isEnding = false;

function endIfIdle() {
  if (!isEnding || running > 0) return;
  const storage = Number(new URL(process.env.DATA_STORAGE__tableServiceUri).port);
  connect(storage, '127.0.0.1')
    .on('error', () => note('the storage is gone'))
    .on('connect', () => note('the storage is there'))
    .on('close', () => {
      note('the host ends');
      if (worker.connected) worker.disconnect();
      process.exit(0);
    })
    .on('connect', function end() {
      this.destroy();
    });
}
worker.on('message', ({ work, pid }) => {
  running -= 1;
  note(`${work} ended`);
  held.get(work)?.end(String(pid));
  endIfIdle();
});
worker.on('exit', (code, signal) => {
  if (running > 0) note(`WorkerProcessExitException: ${signal ?? code}`);
  for (const response of held.values()) if (!response.writableEnded) response.writeHead(500).end();
  running = 0;
  endIfIdle();
});
function start(work) {
  running += 1;
  note(`${work} begins`);
  worker.send({ work });
}
createServer((request, response) => {
  if (request.url !== '/request') return response.end('{}');
  held.set('request', response);
  return start('request');
}).listen(Number(process.argv[4]), '127.0.0.1', function listening() {
  process.on('SIGTERM', () => {
    note('the host is asked to end');
    if (process.env.STUBBORN) return;
    isEnding = true;
    this.close();
    endIfIdle();
  });
});
start('ingest');
