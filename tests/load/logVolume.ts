/**
 * How much the service logs: what an idle service says in a day, and what one tenant at its limit makes it say. Lines of
 * the platform that host.json lets through count too.
 *
 *   npm run load:logs -- [--write] [--seconds 120]
 *
 * Counts hold on a busy machine too. `--write` puts the table into docs/measurements.md.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { provenance } from './machine.js';
import type { ServiceFile } from './runningService.js';
import { markdownTable, writeSection } from './writeSection.js';

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, seconds: { type: 'string', default: '120' } },
});
const seconds = Number(values.seconds);
const DAY_SECONDS = 86_400;
/** What the columns of a row weigh beside its text: time, ids, names of app and instance, types. Taken, not measured. */
const COLUMN_BYTES = 500;
const GATE_GB = 0.5;

/** A service whose output is counted, every host line that passes host.json included. */
function startCounted(environment: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'logs-'));
  const child = spawn(process.execPath, ['build/local/start.mjs'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, IN_MEMORY: '1', LOCAL_DIR: directory, PORT: '0', ...environment },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const count = { lines: 0, bytes: 0, rows: new Map<string, number>() };
  let text = '';
  const ready = new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      const lines = (text + chunk.toString()).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('Ready: ')) resolve();
        count.lines += 1;
        count.bytes += Buffer.byteLength(line);
        const event = /^\{"event":"([^"]+)"/.exec(line)?.[1] ?? line.slice(0, 40);
        count.rows.set(event, (count.rows.get(event) ?? 0) + 1);
      }
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', () => {
      reject(new Error('The service has not started.'));
    });
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  const service = (): ServiceFile => JSON.parse(readFileSync(join(directory, 'service.json'), 'utf8')) as ServiceFile;
  return { ready, count, stop, service };
}

type Counted = ReturnType<typeof startCounted>;

interface Volume {
  readonly lines: number;
  readonly bytes: number;
  readonly answers: ReadonlyMap<string, number>;
}

/** Calls `send` at the given rate for so long, whatever became of the calls before. */
async function atRate(
  perSecond: number,
  lastSeconds: number,
  send: () => Promise<string>,
): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  const until = performance.now() + lastSeconds * 1000;
  const calls: Promise<void>[] = [];
  for (let next = performance.now(); next < until; next += 1000 / perSecond) {
    await pause(Math.max(0, next - performance.now()));
    calls.push(
      send().then(
        (answer) => void answers.set(answer, (answers.get(answer) ?? 0) + 1),
        () => void answers.set('no answer', (answers.get('no answer') ?? 0) + 1),
      ),
    );
  }
  await Promise.all(calls);
  return answers;
}

function callsOf({ baseUrl, jwt, partyId, fieldIds }: ServiceFile) {
  const post = async (operation: string, body: object): Promise<string> => {
    const response = await fetch(`${baseUrl}/solutions/partnerAgPowered.gdd:${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return `${operation} ${response.status}`;
  };
  const last = { requestPath: '/v1/gdd/nobody' };
  const create = (): Promise<string> => {
    const requestPath = `/v1/gdd/logs-${randomUUID()}`;
    last.requestPath = requestPath;
    const parameters = {
      partyId,
      resourceType: 'Field',
      resourceId: fieldIds[0],
      crop: 'CORN',
      gddStartDate: '2025-05-01',
      gddEndDate: '2025-05-31',
    };
    return post('create', { requestPath, partnerRequestBody: parameters });
  };
  return { create, read: () => post('fetch', last) };
}

async function measured(counted: Counted, action: () => Promise<ReadonlyMap<string, number>>): Promise<Volume> {
  const before = { lines: counted.count.lines, bytes: counted.count.bytes };
  const answers = await action();
  return { lines: counted.count.lines - before.lines, bytes: counted.count.bytes - before.bytes, answers };
}

async function atTheLimit(counted: Counted): Promise<Volume> {
  const { create, read } = callsOf(counted.service());
  const load = async (lastSeconds: number): Promise<ReadonlyMap<string, number>> => {
    // Somewhat above 10 and 50 a second, so that what is refused is in it too.
    const all = await Promise.all([atRate(12, lastSeconds, create), atRate(60, lastSeconds, read)]);
    return new Map(all.flatMap((answers) => [...answers]));
  };
  await load(30); // The bursts that a caller may save up are used then.
  return measured(counted, () => load(seconds));
}

const perDay = ({ lines, bytes }: Volume): string[] => {
  const rows = (lines * DAY_SECONDS) / seconds;
  const gigabytes = ((bytes + lines * COLUMN_BYTES) * DAY_SECONDS) / seconds / 1e9;
  return [rows.toFixed(0), (bytes / Math.max(1, lines)).toFixed(0), gigabytes.toFixed(3)];
};
const gigabytesADay = (volume: Volume): number => Number(perDay(volume)[2]);

async function run(): Promise<number> {
  const counted = startCounted({ RATE_LIMITS: 'on' });
  try {
    await counted.ready;
    await pause(10_000);
    const idle = await measured(counted, async () => {
      await pause(seconds * 1000);
      return new Map();
    });
    const limit = await atTheLimit(counted);
    const requests = [...limit.answers.values()].reduce((sum, count) => sum + count, 0);
    const perThousand = `${((limit.lines * 1000) / requests).toFixed(0)} lines for 1,000 requests`;
    const table = markdownTable(
      ['one instance', 'lines a day', 'bytes of text a line', 'GB a day, columns included', 'gate'],
      [
        ['idle', ...perDay(idle), ''],
        [
          'one tenant at its limit',
          ...perDay(limit),
          gigabytesADay(limit) < GATE_GB ? 'met: below 0.5' : 'missed: 0.5',
        ],
      ],
    );
    const answers = [...limit.answers].map(([answer, count]) => `${answer}: ${count}`).join(', ');
    const command = `npm run load:logs -- --seconds ${seconds}`;
    const text = `${table}\n\nAt the limit: ${perThousand} (${answers}).\n\n\`${command}\`, ${provenance(loadavg()[0] ?? 0)}.`;
    console.log(text, counted.count.rows);
    if (values.write) writeSection('logs', text);
    return gigabytesADay(limit) < GATE_GB ? 0 : 1;
  } finally {
    await counted.stop();
  }
}

process.exitCode = await run();
