import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import * as boundary from '../../../shared/kit/errors/boundaryFaults.js';
import * as catalogue from '../../../shared/kit/errors/catalogue.js';
import * as webhooks from '../../../shared/kit/errors/webhookFaults.js';
import type { Fault, JobFault } from '../../../shared/kit/errors/fault.js';

const PAGE = new URL('../../../docs/errors.md', import.meta.url);

const groups = Object.entries({ ...boundary, ...catalogue, ...webhooks }) as [
  string,
  Record<string, Fault | JobFault>,
][];
const isFault = (entry: Fault | JobFault): entry is Fault => 'status' in entry;
const titles: Readonly<Record<string, string>> = {
  commonFaults: 'Any operation',
  gddFaults: 'GDD operations',
  gddJobFaults: 'GDD jobs that end FAILED',
  boundaryFaults: 'Smart Boundary operations',
  boundaryJobFaults: 'Smart Boundary jobs that end FAILED',
  operateFaults: 'Commands of operators',
  enrollmentFaults: 'Enrollments and storage access',
  fieldFaults: 'Fields that fail within an enrollment',
  webhookFaults: 'Webhooks',
};

/** Codes that callers may still know. */
const RETIRED = [
  ...['GDD-05003', 'GDD-05010', 'IMG-05002', 'IMG-05003', 'IMG-05005', 'IMG-05006', 'IMG-05007', 'IMG-05008'],
  ...['IMG-05009', 'IMG-05015'],
];

/** The page as the catalogue says it; `UPDATE_DOCS=1 npm test` writes it. */
function page(): string {
  const sections = groups.map(([name, entries]) => {
    const rows = Object.values(entries);
    const table = rows.every(isFault)
      ? ['| code | HTTP status | message begins | when |', '| --- | --- | --- | --- |'].concat(
          rows.map(
            (fault) =>
              `| \`${fault.code}\` | ${fault.status} | ${fault.prefix ? `\`${fault.prefix}: \`` : ''} | ${fault.when} |`,
          ),
        )
      : ['| code | tried again | cause | what to do |', '| --- | --- | --- | --- |'].concat(
          (rows as JobFault[]).map(
            (fault) => `| \`${fault.code}\` | ${triesOf(fault)} | ${fault.cause} | ${fault.remedy} |`,
          ),
        );
    return `## ${titles[name] ?? name}\n\n${table.join('\n')}\n`;
  });
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}

const triesOf = ({ retryable, dependency }: JobFault): string =>
  dependency === undefined ? (retryable ? 'yes' : 'no') : 'for a day';

const INTRODUCTION = `# Errors

Every code the service answers with. A code is never renamed and never reused.

- Areas A and B answer \`{ "error": { "code", "message" }, "traceId" }\`; a fetch repeats the error as \`errors: [{ "code", "message" }]\`.
- Area C answers \`{ "code", "message", "trace_id", "details" }\`, with the code in snake_case (\`NotFound\` becomes \`not_found\`); \`details\` is null or \`[{ "loc", "msg", "type" }]\`, at most 100.
- A message says what is wrong with your request, the limit and what to do. Give us the traceId when you ask about an answer.
- UUIDs are written with 36 characters, in upper or lower case, without \`urn:uuid:\` or braces: anything else is refused when a job is created. Case tells no two of them apart; answers have them as you wrote them.
- 429 and 503 carry \`Retry-After\` in whole seconds. After a 503, as after a time-out, a create may have been stored: fetch the job, or repeat the request under its \`Idempotency-Key\`, before you create anything again.
- A job that ends FAILED says so in its \`message\`, which begins with one of the codes below. Tried again "yes" means that the service tried up to five times before it gave up; "for a day" means that something outside refused it, and that it waited for that up to \`DEPENDENCY_PATIENCE_HOURS\` without using up a try. The message of a job that waits says what it waits for, since when and until when.
- What a job had published before it ended FAILED or CANCELLED is taken back from farm data; nobody is shown it.
- Codes of earlier versions, which no answer has any more: ${RETIRED.join(', ')}.
`;

/** Tables as prettier pads them say the same thing. */
const unpadded = (text: string): string => text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---').trim();

describe('the catalogue', () => {
  const codes = groups.flatMap(([name, entries]) => Object.values(entries).map(({ code }) => ({ name, code })));

  test('has every code once, and none that has meant something else', () => {
    expect(new Set([...RETIRED, ...codes.map(({ code }) => code)]).size).toBe(RETIRED.length + codes.length);
  });

  test('equals docs/errors.md', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page());
    expect(unpadded(readFileSync(PAGE, 'utf8'))).toBe(unpadded(page()));
  });

  test.each([
    ['gddFaults', 'jobExists', 'Conflict', 'GDD-04103'],
    ['gddFaults', 'unknownJob', 'HWA-04101', 'HWA-04101'],
    ['gddFaults', 'notCancellable', 'GDD-04102', 'GDD-04102'],
    ['gddFaults', 'invalidBody', 'GDD-04100', 'GDD-04100'],
    ['boundaryFaults', 'invalidBody', 'IMG-04100', 'IMG-04100'],
    ['boundaryFaults', 'unknownJob', 'IMG-04101', 'IMG-04101'],
    ['boundaryFaults', 'notCancellable', 'MSIMAGE-04102', 'MSIMAGE-04102'],
    ['boundaryFaults', 'jobExists', 'IMG-04103', 'IMG-04103'],
    ['boundaryFaults', 'licenceMissing', 'IMG-04104', 'IMG-04104'],
  ])('%s.%s has the code of the specification', (group, name, code, prefix) => {
    const entries = Object.fromEntries(groups)[group];
    expect(entries?.[name]).toMatchObject({ code, prefix });
  });
});
