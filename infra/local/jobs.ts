// `npm run --silent jobs -- …`: jobs of areas A and B, for operators.
import { runJobCommand } from './jobs/jobCommands.js';
import { jobOperator } from './jobs/jobOperator.js';
import { operatorProgram } from './operatorProgram.js';

await operatorProgram(import.meta.url, (argv) => runJobCommand(argv, () => jobOperator(process.env)));
