// `npm run poison -- list|retry|drop`: looks at messages that were given up, sends them again or throws them away.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  all,
  allPoisonQueues,
  contentOf,
  dropMessages,
  isUnreadable,
  poisonPairOf,
  retryMessages,
  withId,
  type OperatorQueue,
  type Selection,
} from './poison/poisonQueues.js';
import { queuePlaceOf, queueServiceAt } from './poison/queueService.js';
import { storageQueue } from './poison/storageQueue.js';

const usage = `npm run poison -- list [queue]                  the first 32 messages of one poison queue, or of all
npm run poison -- retry <queue> [message id]    sends one message, or all, to the queue it came from
npm run poison -- drop <queue> <message id>     deletes one message
npm run poison -- drop <queue> --yes            deletes all of them
npm run poison -- drop [queue] --unreadable     deletes what is no message of this service, of one queue or of all
A queue is named by its work queue (jobs-gdd) or in full (jobs-gdd-poison).`;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

type OpenQueue = (name: string) => OperatorQueue;

async function list(open: OpenQueue, queue: string | undefined): Promise<void> {
  const names = queue === undefined ? allPoisonQueues : [poisonPairOf(queue).poison];
  let found = 0;
  for (const name of names) {
    const messages = (await open(name).peek()) ?? [];
    for (const message of messages) {
      const { id, deliveries, insertedAt } = message;
      say(`${name}  ${id}  ${insertedAt.toISOString()}  deliveries ${deliveries}  ${contentOf(message)}`);
    }
    found += messages.length;
  }
  if (found === 0) say(queue === undefined ? 'No poison queue holds a message.' : 'It holds no message.');
}

async function retry(open: OpenQueue, queue: string, messageId: string | undefined): Promise<void> {
  const { poison, origin } = poisonPairOf(queue);
  const isMeant = messageId === undefined ? all : withId(messageId);
  say(`${await retryMessages(open(poison), open(origin), isMeant)} sent again to ${origin}.`);
}

async function drop(open: OpenQueue, queue: string, isMeant: Selection): Promise<void> {
  const { poison } = poisonPairOf(queue);
  say(`${await dropMessages(open(poison), isMeant)} deleted from ${poison}.`);
}

/** Only queues that are there: the platform makes one with its first message. */
async function dropUnreadable(open: OpenQueue, queue: string | undefined): Promise<void> {
  for (const name of queue === undefined ? allPoisonQueues : [queue]) {
    const { poison } = poisonPairOf(name);
    if ((await open(poison).peek()) !== undefined) await drop(open, poison, isUnreadable);
  }
}

/** One message by its id; all of them only for who says so. */
function meant(messageId: string | undefined, yes: boolean): Selection {
  if (messageId !== undefined) return withId(messageId);
  if (yes) return all;
  throw new Error(usage);
}

async function run(argv: readonly string[]): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const options = { yes: flag, unreadable: flag } as const;
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
  const [command, queue, messageId] = positionals;
  const service = queueServiceAt(queuePlaceOf(process.env));
  const open: OpenQueue = (name) => storageQueue(service, name);
  if (command === 'list') return list(open, queue);
  if (command === 'retry' && queue !== undefined) return retry(open, queue, messageId);
  if (command === 'drop' && values.unreadable) return dropUnreadable(open, queue);
  if (command === 'drop' && queue !== undefined) return drop(open, queue, meant(messageId, values.yes));
  throw new Error(usage);
}

/** Node takes further roots at its start only, so the command runs once more, trusting the local certificate. */
function restartedWithLocalRoot(): boolean {
  const place = queuePlaceOf(process.env);
  if (place.kind === 'azure' || process.env['NODE_EXTRA_CA_CERTS'] === place.caFile) return false;
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: place.caFile };
  const file = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  return true;
}

try {
  if (!restartedWithLocalRoot()) await run(process.argv.slice(2));
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}
