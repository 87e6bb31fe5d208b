import { Type, type Static, type TSchema } from 'typebox';
import { jobKinds, jobStatuses } from '../jobs/job.js';

/** Job ids as callers choose them. */
const JOB_ID = '[A-Za-z0-9][A-Za-z0-9._-]{0,127}';

/** `requestPath` of a solution: version, resource and the caller's job id, nothing before, between or behind. */
export const requestPath = (segment: string) =>
  Type.String({
    pattern: `^/v1/${segment}/${JOB_ID}$`,
    description: `/v1/${segment}/<job id>: v1 is the only version, and a job id has 1 to 128 letters, digits, dots, underscores or hyphens and begins with a letter or digit`,
  });

/** Accepted for the sake of clients of the platform's solutions API, and ignored. */
export const PartnerRequestHeaders = Type.Optional(
  Type.Record(Type.String(), Type.String(), { description: 'Accepted and ignored' }),
);

/** Body of a fetch or cancel. */
export const jobPathBody = (segment: string, title: string) =>
  Type.Object(
    { requestPath: requestPath(segment), partnerRequestHeaders: PartnerRequestHeaders },
    { title, additionalProperties: false },
  );

export const uuid = (description: string) => Type.String({ format: 'uuid', description });
export const day = (description: string) => Type.String({ format: 'date', description });
const instant = (description: string) => Type.String({ format: 'date-time', description });

/** Answer of a create; `Parameters` is the echoed form of the job parameters. */
export const createdJob = <P extends TSchema>(parameters: P, title: string) =>
  Type.Object(
    {
      partnerRequestBody: parameters,
      id: Type.String({ description: 'The caller-defined job id' }),
      jobCreatedDateTime: instant('When the job was created'),
      jobLastActionDateTime: instant('Time of the last action on the job'),
      message: Type.String({ description: 'A code and a text for people' }),
      status: Type.Enum(jobStatuses, { description: 'The last three are ends' }),
      e2eId: uuid('Correlation id of the create'),
    },
    { title, additionalProperties: false },
  );

/** Answer of a fetch or cancel. */
export const fetchedJob = <P extends TSchema>(parameters: P, title: string) =>
  Type.Object(
    {
      ...createdJob(parameters, title).properties,
      jobProcessingStartDateTime: Type.Optional(instant('When processing started; absent before')),
      jobProcessingEndDateTime: Type.Optional(instant('When processing ended; absent before')),
      jobProcessingDurationInSeconds: Type.Integer({ minimum: 0, description: 'Whole seconds of processing so far' }),
      insightId: Type.Optional(uuid('The insight of a SUCCEEDED job')),
    },
    { title, additionalProperties: false },
  );

export const crops = ['CANOLA', 'CORN', 'COTTON', 'SUGAR_BEET', 'SOYBEAN', 'WINTER_WHEAT'] as const;

/** Query of the list of jobs. */
export const JobListParameters = Type.Object({
  kind: Type.Optional(Type.Enum(jobKinds, { description: 'Only jobs of this kind' })),
  status: Type.Optional(Type.Enum(jobStatuses, { description: 'Only jobs of this status' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: '`cursor` of the page before, with the same `kind` and `status`' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Page size, 50 when absent; above 200 is 200' })),
});

const JobListItem = Type.Object(
  {
    requestPath: Type.String({ description: 'Names the job in a fetch or cancel' }),
    kind: Type.Enum(jobKinds, { description: 'The operations it is of' }),
    status: Type.Enum(jobStatuses, { description: 'The last three are ends' }),
    jobCreatedDateTime: instant('When the job was created'),
    jobProcessingEndDateTime: Type.Optional(instant('When processing ended; absent before, and without any')),
    crop: Type.Optional(Type.Enum(crops, { description: 'Of a GDD job' })),
    insightId: Type.Optional(uuid('The insight of a SUCCEEDED job')),
  },
  { title: 'JobListItem', additionalProperties: false },
);

export const JobPage = Type.Object(
  {
    items: Type.Array(JobListItem, { description: 'Newest first' }),
    cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page' }),
  },
  { title: 'JobPage', additionalProperties: false },
);

/** What the first day of a GDD job is to the crop. */
export const startEvents = ['PLANTING', 'EMERGENCE', 'GREEN_UP', 'OTHER'] as const;

const gddCommon = {
  partyId: uuid('The data manager party that owns the field: 36 characters in either case'),
  resourceId: uuid('The field the degree days are for: 36 characters in either case'),
  crop: Type.Enum(crops, { description: 'Decides limits and stages' }),
  gddStartDate: day('Planting date of the crop'),
  gddEndDate: day('Target date, inclusive'),
  startEvent: Type.Optional(
    Type.Enum(startEvents, { description: 'What gddStartDate is, for the growth stages; PLANTING when absent' }),
  ),
};

/** `partnerRequestBody` of a GDD create (specification 2.2). */
export const GddParameters = Type.Object(
  {
    ...gddCommon,
    resourceType: Type.Enum(['Field'], { description: 'What `resourceId` is' }),
    temperatureUnit: Type.Optional(Type.Enum(['c', 'f'], { description: 'c when absent' })),
  },
  { title: 'GddJobParameters', additionalProperties: false },
);

/** The same as answers echo it. */
export const GddEcho = Type.Object(
  {
    ...gddCommon,
    resourceType: Type.Enum(['FIELD'], { description: 'What `resourceId` is' }),
    temperatureUnit: Type.Enum(['C', 'F'], { description: 'Unit of the insight' }),
  },
  { title: 'GddJobEcho', additionalProperties: false },
);

export const GddCreateBody = Type.Object(
  {
    requestPath: requestPath('gdd'),
    partnerRequestBody: GddParameters,
    partnerRequestHeaders: PartnerRequestHeaders,
  },
  { title: 'GddJobCreate', additionalProperties: false },
);
export type GddCreateBody = Static<typeof GddCreateBody>;
