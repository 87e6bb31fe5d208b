import { boundaryJobFaults } from '../kit/errors/boundaryFaults.js';
import { gddJobFaults } from '../kit/errors/catalogue.js';
import { kindOf, type Job, type JobKind } from './job.js';

/** The code of a failure that names none, by the kind of job. */
const unexpected: Readonly<Record<JobKind, string>> = {
  gdd: gddJobFaults.unexpected.code,
  smartBoundary: boundaryJobFaults.unexpected.code,
};

/** Why a job FAILED, as its tenant reads it: a code, `: ` and a text. */
export const failureShown = ({ solution, failure = 'The job failed.' }: Pick<Job, 'solution' | 'failure'>): string =>
  failure.includes(': ') ? failure : `${unexpected[kindOf(solution)]}: ${failure}`;

/** The code alone. */
export const failureCode = (job: Pick<Job, 'solution' | 'failure'>): string => failureShown(job).split(': ')[0] ?? '';
