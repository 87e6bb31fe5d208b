/** Figures for the operators, derived from the same events as the log lines: one table says which. */
import { metrics, type Attributes, type Counter, type Histogram } from '@opentelemetry/api';

type Facts = Readonly<Record<string, unknown>>;

/** What one event adds to a figure. */
interface Measure {
  readonly figure: FigureName;
  readonly value: (facts: Facts) => number | undefined;
  /** Facts that become attributes: few values each, nothing of a caller. */
  readonly by: readonly string[];
}

interface Figure {
  readonly kind: 'counter' | 'histogram';
  readonly unit: string;
  readonly description: string;
  /** Upper bounds of a histogram's classes, ascending; the library's own unless given. */
  readonly bounds?: number[];
}

const figures = {
  'jobs.ended': { kind: 'counter', unit: '{job}', description: 'Jobs that ended, by outcome' },
  'jobs.age': { kind: 'histogram', unit: 's', description: 'Seconds from the creation of a job to its end' },
  'field_dates.recorded': {
    kind: 'counter',
    unit: '{field-date}',
    description: 'Fields on days that were decided, by outcome',
  },
  'boundary.confidence': {
    kind: 'histogram',
    unit: '1',
    description: 'Confidence of predicted boundaries and of refusals, 0 to 1',
    // Those of the library are made for milliseconds; 0.45, 0.55 and 0.75 are where answers change their class.
    bounds: [0.1, 0.2, 0.36, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95],
  },
  'jobs.attempts.failed': { kind: 'counter', unit: '{attempt}', description: 'Attempts that ended badly, by code' },
  'jobs.publications.failed': {
    kind: 'counter',
    unit: '{attempt}',
    description: 'Attempts that had their result and could not publish it',
  },
  'jobs.withdrawals.failed': {
    kind: 'counter',
    unit: '{attempt}',
    description: 'Attempts that could not take back what was published for a job that ended without success',
  },
  'queue.age': { kind: 'histogram', unit: 's', description: 'Seconds a message waited before it was taken' },
  'requests.duration': { kind: 'histogram', unit: 'ms', description: 'Duration of requests, by operation and status' },
  'requests.slow': { kind: 'counter', unit: '{request}', description: 'Requests, uploads left out, of more than 2 s' },
  'jobs.slow': { kind: 'counter', unit: '{job}', description: 'Jobs that succeeded after more than 15 minutes' },
  'imagery.age': { kind: 'histogram', unit: 's', description: 'Seconds from the publication of a scene to its files' },
  'imagery.late': {
    kind: 'counter',
    unit: '{unit}',
    description: 'Units of new scenes that took more than 20 minutes',
  },
  'feed.lag': { kind: 'histogram', unit: 's', description: 'Seconds by which the feed of the catalogue is behind' },
  'farm.fields': { kind: 'histogram', unit: '{field}', description: 'Fields of each tenant, counted every night' },
  'farm.farms': { kind: 'histogram', unit: '{farm}', description: 'Farms of each tenant, counted every night' },
  'farm.parties': { kind: 'histogram', unit: '{party}', description: 'Parties of each tenant, counted every night' },
  'notices.relayed': {
    kind: 'histogram',
    unit: 'ms',
    description: 'Milliseconds from an event to its place in the log',
  },
  'notices.late': {
    kind: 'counter',
    unit: '{attempt}',
    description: 'Attempts to log events that are ten minutes old',
  },
  'notices.delivered': {
    kind: 'histogram',
    unit: 'ms',
    description: 'Milliseconds from an event to its delivery at a webhook, by the tries it took',
  },
  'notices.tries': { kind: 'counter', unit: '{request}', description: 'Events sent to webhooks, by outcome' },
  'calls.duration': { kind: 'histogram', unit: 'ms', description: 'Duration of calls to other services, by host' },
} as const satisfies Record<string, Figure>;
type FigureName = keyof typeof figures;

const one = (): number => 1;
const numberOf =
  (name: string) =>
  (facts: Facts): number | undefined =>
    typeof facts[name] === 'number' ? facts[name] : undefined;

/** Counts what takes longer than the given amount: the exporter sends sums of a histogram, not its classes. */
const oneAbove =
  (name: string, amount: number) =>
  (facts: Facts): number | undefined =>
    typeof facts[name] === 'number' && facts[name] > amount ? 1 : undefined;
/** The time of an upload is that of the caller's line. */
const slowRequest = (facts: Facts): number | undefined =>
  facts['operation'] === 'enrollmentsSubmit' ? undefined : oneAbove('durationMs', 2_000)(facts);

const isOfJob = ({ kind }: Facts): boolean => kind === 'gdd' || kind === 'smartBoundary';
/** Steps of the work of jobs that come behind their end. */
const STEPS_AFTER_END: readonly unknown[] = ['withdraw', 'rerun', 'tell'];
const failedAttempt = (facts: Facts): number | undefined =>
  isOfJob(facts) && !STEPS_AFTER_END.includes(facts['step']) ? 1 : undefined;
const failedPublication = (facts: Facts): number | undefined =>
  isOfJob(facts) && facts['next'] === 'publication' ? 1 : undefined;
const failedWithdrawal = (facts: Facts): number | undefined =>
  isOfJob(facts) && facts['step'] === 'withdraw' ? 1 : undefined;

const deliveredLag = (facts: Facts): number | undefined =>
  facts['outcome'] === 'delivered' ? numberOf('lagMs')(facts) : undefined;

const jobEnded: readonly Measure[] = [
  { figure: 'jobs.ended', value: one, by: ['solution', 'outcome'] },
  { figure: 'jobs.age', value: numberOf('seconds'), by: ['solution', 'outcome'] },
];

/** Which events feed which figures. */
const measures: Readonly<Record<string, readonly Measure[]>> = {
  'Job:Succeeded': [...jobEnded, { figure: 'jobs.slow', value: oneAbove('seconds', 900), by: ['solution'] }],
  'Job:Failed': jobEnded,
  'Job:Cancelled': jobEnded,
  'Work:AttemptFailed': [
    { figure: 'jobs.attempts.failed', value: failedAttempt, by: ['kind', 'code'] },
    { figure: 'jobs.publications.failed', value: failedPublication, by: ['kind', 'code'] },
    { figure: 'jobs.withdrawals.failed', value: failedWithdrawal, by: ['kind'] },
  ],
  'FieldDate:Recorded': [{ figure: 'field_dates.recorded', value: one, by: ['outcome'] }],
  'Boundary:Predicted': [
    { figure: 'boundary.confidence', value: numberOf('confidence'), by: ['outcome', 'confidenceClass'] },
  ],
  'Unit:Rendered': [
    { figure: 'imagery.age', value: numberOf('ageSeconds'), by: ['lane'] },
    { figure: 'imagery.late', value: oneAbove('ageSeconds', 1_200), by: ['lane'] },
  ],
  'Feed:Read': [{ figure: 'feed.lag', value: numberOf('lagSeconds'), by: ['catalogue'] }],
  'Farm:Counted': [
    { figure: 'farm.fields', value: numberOf('fields'), by: [] },
    { figure: 'farm.farms', value: numberOf('farms'), by: [] },
    { figure: 'farm.parties', value: numberOf('parties'), by: [] },
  ],
  'Notice:Relayed': [{ figure: 'notices.relayed', value: numberOf('lagMs'), by: [] }],
  'Notice:Late': [{ figure: 'notices.late', value: one, by: [] }],
  'Notice:Delivered': [
    { figure: 'notices.delivered', value: deliveredLag, by: ['attempt'] },
    { figure: 'notices.tries', value: one, by: ['outcome'] },
  ],
  'Message:Taken': [{ figure: 'queue.age', value: numberOf('ageSeconds'), by: ['operation'] }],
  'Request:Answered': [
    { figure: 'requests.duration', value: numberOf('durationMs'), by: ['operation', 'status'] },
    { figure: 'requests.slow', value: slowRequest, by: ['operation'] },
  ],
  'Call:Answered': [{ figure: 'calls.duration', value: numberOf('durationMs'), by: ['host', 'status'] }],
};

const instruments = new Map<FigureName, Counter | Histogram>();

/** Made at first use: what is made before an exporter is set up would never reach it. */
function instrumentOf(name: FigureName): Counter | Histogram {
  const known = instruments.get(name);
  if (known !== undefined) return known;
  const { kind, unit, description, bounds }: Figure = figures[name];
  const meter = metrics.getMeter('partner-field-service');
  const options = {
    unit,
    description,
    ...(bounds === undefined ? {} : { advice: { explicitBucketBoundaries: bounds } }),
  };
  const made = kind === 'counter' ? meter.createCounter(name, options) : meter.createHistogram(name, options);
  instruments.set(name, made);
  return made;
}

/** Adds an event to every figure it feeds. */
export function measureEvent(event: string, facts: Facts): void {
  for (const { figure, value, by } of measures[event] ?? []) {
    const amount = value(facts);
    if (amount === undefined) continue;
    const instrument = instrumentOf(figure);
    const attributes = attributesOf(facts, by);
    if ('add' in instrument) instrument.add(amount, attributes);
    else instrument.record(amount, attributes);
  }
}

function attributesOf(facts: Facts, by: readonly string[]): Attributes {
  return Object.fromEntries(
    by.flatMap((name) => {
      const value = facts[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}
