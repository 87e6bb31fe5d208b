// `npm run --silent notices -- …`: a receiver on this machine, and webhooks of others for operators.
import { listen } from './notices/listen.js';
import { noticesByUrl, runNoticeCommand } from './notices/noticeCommand.js';
import { noticeOperator } from './notices/noticeOperator.js';
import { audited } from './operate/audited.js';
import { operatorProgram } from './operatorProgram.js';

const run = (own: readonly string[]): Promise<unknown> => runNoticeCommand(own, () => noticeOperator(process.env));

if (process.argv[2] === 'listen') {
  await listen().catch((cause: unknown) => {
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
    process.exitCode = 1;
  });
} else {
  const changing = ['disable', 'enable', 'redeliver', 'pump', 'drop'];
  await operatorProgram(import.meta.url, audited('notices', changing, run), noticesByUrl);
}
