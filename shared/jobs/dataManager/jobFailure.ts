import { DataManagerError } from './dataManager.js';
import type { JobFault } from '../../kit/errors/fault.js';
import { JobFailure } from '../../kit/errors/serviceError.js';
import { TenantNotServed } from '../../access/tenants/servedTenant.js';

/** The faults of one solution for failures outside its own calculation. */
export interface JobFaults {
  readonly unexpected: JobFault;
  readonly dataManagerUnavailable: JobFault;
  readonly tooManyInsights: JobFault;
  readonly tenantNotServed: JobFault;
}

/** The failure of a job, in words for the caller, that an error of an attempt means. */
export const jobFailureOf =
  (faults: JobFaults) =>
  (error: unknown): JobFailure => {
    if (error instanceof JobFailure) return error;
    if (error instanceof DataManagerError) return dataManagerFailure(error, faults);
    if (error instanceof TenantNotServed) {
      const { tenantNotServed } = faults;
      return new JobFailure(tenantNotServed, `${error.message} ${tenantNotServed.remedy}`, { cause: error });
    }
    const text = 'The attempt ended with an error of the service. Create the job again under a new id.';
    return new JobFailure(faults.unexpected, text, { cause: error });
  };

function dataManagerFailure(error: DataManagerError, faults: JobFaults): JobFailure {
  const { kind, retryAfterSeconds } = error;
  if (kind === 'exhausted') {
    const { tooManyInsights } = faults;
    return new JobFailure(tooManyInsights, `${error.message} ${tooManyInsights.remedy}`, { cause: error });
  }
  if (kind === 'unavailable') {
    const text = 'The data manager could not be reached. Create the job again later.';
    const options = retryAfterSeconds === undefined ? { cause: error } : { cause: error, retryAfterSeconds };
    return new JobFailure(faults.dataManagerUnavailable, text, options);
  }
  const text = 'The data manager does not take the insight of this job. Tell us the e2eId of the job.';
  return new JobFailure(faults.unexpected, text, { cause: error });
}
