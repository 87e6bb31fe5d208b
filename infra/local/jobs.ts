// `npm run --silent jobs -- …`: jobs of areas A and B, for operators.
import { runJobCommand } from './jobs/jobCommands.js';
import { jobOperator } from './jobs/jobOperator.js';
import { audited } from './operate/audited.js';
import { jobsByUrl } from './operate/byUrl.js';
import { operatorProgram } from './operatorProgram.js';

const run = (own: readonly string[]): Promise<unknown> => runJobCommand(own, () => jobOperator(process.env));
await operatorProgram(import.meta.url, audited('jobs', ['redrive'], run), jobsByUrl);
