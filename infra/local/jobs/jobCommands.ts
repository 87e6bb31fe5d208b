import { parseArgs } from 'node:util';
import { jobKinds, jobStatuses, solutionOf, type Job, type JobKey } from '../../../shared/jobs/job.js';
import { redriveJob } from '../../../shared/jobs/operations/redriveJob.js';
import { shownJob } from '../../../shared/jobs/operations/shownJob.js';
import type { JobOperator } from './jobOperator.js';

export const usage = `npm run jobs -- list [status] [--tenant <tid>]           jobs of a status, FAILED unless another is named
npm run jobs -- show <tid> <gdd|smartBoundary> <job id>    one job as it is stored, and its work item
npm run jobs -- redrive <tid> <gdd|smartBoundary> <job id> opens a FAILED job again: same id, attempts from 0
Where the storage is closed, --url <service> --reason <text> has the service do it: show, redrive.
Local by default (LOCAL_DIR); set DATA_STORAGE__tableServiceUri and DATA_STORAGE__queueServiceUri for Azure.`;

/** A command that can't be carried out, in words for the operator. */
export class JobCommandRefusal extends Error {}

interface Arguments {
  readonly values: readonly string[];
  readonly tenant: string | undefined;
}

type Command = (operator: JobOperator, given: Arguments) => Promise<unknown>;

const commands: Readonly<Record<string, Command>> = {
  list: (operator, { values: [status = 'FAILED'], tenant }) => list(operator, status, tenant),
  show: async ({ jobs }, { values }) => {
    const key = keyOf(values);
    const stored = await jobs.find(key);
    if (stored === undefined) throw new JobCommandRefusal(`The tenant ${key.tenant} has no job ${key.jobId} there.`);
    return shownJob(stored.job, (await jobs.findWork(key))?.item);
  },
  redrive: async (operator, { values }) => {
    const key = keyOf(values);
    return shownJob(await redriveJob(operator, await operator.whoAsks())(key));
  },
};

/**
 * Runs one command of an operator. @returns what to print
 *
 * @throws Error with a text for the operator
 */
export async function runJobCommand(argv: readonly string[], open: () => JobOperator): Promise<unknown> {
  const { values, positionals } = read(argv);
  const [name = '', ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined || rest.length > 3) throw new JobCommandRefusal(usage);
  return command(open(), { values: rest, tenant: values.tenant });
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: { tenant: { type: 'string' } }, allowPositionals: true });
  } catch (cause) {
    throw new JobCommandRefusal(`${cause instanceof Error ? cause.message : ''}\n${usage}`, { cause });
  }
}

function keyOf([tenant, segment = '', jobId]: readonly string[]): JobKey {
  const kind = jobKinds.find((each) => each === segment);
  if (tenant === undefined || kind === undefined || jobId === undefined) throw new JobCommandRefusal(usage);
  return { tenant, solution: solutionOf(kind), jobId };
}

async function list({ jobs }: JobOperator, status: string, tenant: string | undefined): Promise<unknown> {
  const known = jobStatuses.find((each) => each === status);
  if (known === undefined) throw new JobCommandRefusal(`The statuses are ${jobStatuses.join(', ')}.\n${usage}`);
  const found: Job[] = [];
  for await (const job of jobs.list(known)) if (tenant === undefined || job.tenant === tenant) found.push(job);
  return found
    .sort((a, b) => b.lastActionAt - a.lastActionAt)
    .map(({ tenant: tid, solution, jobId, lastActionAt, failure }) => ({
      tenant: tid,
      solution,
      jobId,
      lastAction: new Date(lastActionAt).toISOString(),
      ...(failure === undefined ? {} : { failure }),
    }));
}
