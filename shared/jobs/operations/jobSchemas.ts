import { Type, type TSchema } from 'typebox';
import {
  closedObject,
  dateTimeSchema,
  listPageSchema,
  pageParameters,
  uuidSchema,
} from '../../kit/validation/schemaParts.js';
import { jobKinds, jobStatuses } from '../job.js';

/** Job ids as callers choose them. */
const JOB_ID = '[A-Za-z0-9][A-Za-z0-9._-]{0,127}';

const requestPath = (segment: string) =>
  Type.String({
    pattern: `^/v1/${segment}/${JOB_ID}$`,
    description: `/v1/${segment}/<job id>: v1 is the only version, and a job id has 1 to 128 letters, digits, dots, underscores or hyphens and begins with a letter or digit`,
  });

const partnerRequestHeaders = Type.Optional(
  Type.Record(Type.String(), Type.String(), { description: 'Accepted and ignored' }),
);

/** Body of a create. @param segment of `requestPath`, such as `gdd` */
export const jobCreateBody = <P extends TSchema>(title: string, segment: string, partnerRequestBody: P) =>
  closedObject(title, { requestPath: requestPath(segment), partnerRequestBody, partnerRequestHeaders });

/** Body of a fetch or cancel. @param segment of `requestPath`, such as `gdd` */
export const jobPathBody = (segment: string, title: string) =>
  closedObject(title, { requestPath: requestPath(segment), partnerRequestHeaders });

/** Answer of a create. @param parameters the parameters of the job as they are echoed */
export const createdJob = <P extends TSchema>(parameters: P, title: string) =>
  closedObject(title, {
    partnerRequestBody: parameters,
    id: Type.String({ description: 'The caller-defined job id' }),
    jobCreatedDateTime: dateTimeSchema('When the job was created'),
    jobLastActionDateTime: dateTimeSchema('Time of the last action on the job'),
    message: Type.String({ description: 'A code and a text for people' }),
    status: Type.Enum(jobStatuses, { description: 'The last three are ends' }),
    e2eId: uuidSchema('Correlation id of the create'),
  });

/** Answer of a fetch or cancel. @param parameters the parameters of the job as they are echoed */
export const fetchedJob = <P extends TSchema>(parameters: P, title: string) =>
  closedObject(title, {
    ...createdJob(parameters, title).properties,
    jobProcessingStartDateTime: Type.Optional(dateTimeSchema('When processing started; absent before')),
    jobProcessingEndDateTime: Type.Optional(dateTimeSchema('When processing ended; absent before')),
    jobProcessingDurationInSeconds: Type.Integer({ minimum: 0, description: 'Whole seconds of processing so far' }),
    insightId: Type.Optional(uuidSchema('The insight of a SUCCEEDED job')),
  });

/** Query of the list of jobs. */
export const JobListParameters = Type.Object({
  kind: Type.Optional(Type.Enum(jobKinds, { description: 'Only jobs of this kind' })),
  status: Type.Optional(Type.Enum(jobStatuses, { description: 'Only jobs of this status' })),
  ...pageParameters('`cursor` of the page before, with the same `kind` and `status`', 200),
});

/** Answer of the list of jobs. @param crops that a GDD job may have */
export const jobPage = (crops: readonly string[]) =>
  listPageSchema(
    'JobPage',
    closedObject('JobListItem', {
      requestPath: Type.String({ description: 'Names the job in a fetch or cancel' }),
      kind: Type.Enum(jobKinds, { description: 'The operations it is of' }),
      status: Type.Enum(jobStatuses, { description: 'The last three are ends' }),
      jobCreatedDateTime: dateTimeSchema('When the job was created'),
      jobProcessingEndDateTime: Type.Optional(dateTimeSchema('When processing ended; absent before, and without any')),
      crop: Type.Optional(Type.Enum(crops, { description: 'Of a GDD job' })),
      partyId: Type.Optional(Type.String({ description: 'Party of the job; absent in jobs of older releases' })),
      resourceId: Type.Optional(
        Type.String({ description: 'Field or farm of the job; absent in jobs of older releases' }),
      ),
      insightId: Type.Optional(uuidSchema('The insight of a SUCCEEDED job')),
    }),
    'Newest first',
  );
