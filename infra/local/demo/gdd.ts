import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crops, type Crop } from '../../../shared/gdd/days/crops.js';
import type { DemoClient } from './client.js';
import type { DemoSection } from './page.js';
import { progressOf } from './progress.js';
import { tableOf } from './textTable.js';
import { type DemoSeason, spanOf, WEATHER_CASES } from './weatherCases.js';

/** The parts of a GDD insight that the demo shows. */
export interface GddInsight {
  readonly crop: string;
  readonly total: number;
  readonly observedTotal: number;
  readonly provisionalTotal: number;
  readonly forecastTotal: number;
  readonly normalTotal: number;
  readonly asOfDate: string;
  readonly location: { readonly elevationM?: number };
  readonly uncertainty: { readonly place: number };
  /** Present when a source that should have answered did not. */
  readonly incomplete?: unknown;
  /** One of them tells of the frost that killed the crop. */
  readonly warnings: readonly string[];
  readonly stages: readonly {
    readonly code: string;
    readonly date: string | null;
    readonly earliest: string | null;
    readonly latest: string | null;
  }[];
}

/** A section of the page, and the jobs behind it: their ids by crop or by weather case. */
export type GddSection = DemoSection & { readonly jobs: ReadonlyMap<string, string> };

const jobIdOf = (run: string, name: string): string => `demo-${run}-${name}`;

/** When each crop stands on the field. */
export const CROP_SEASONS: Readonly<Record<Crop, DemoSeason>> = {
  CANOLA: { from: '04-15', to: '08-31' },
  CORN: { from: '05-01', to: '10-15' },
  COTTON: { from: '05-10', to: '11-15' },
  SUGAR_BEET: { from: '04-15', to: '10-31' },
  SOYBEAN: { from: '05-10', to: '10-15' },
  WINTER_WHEAT: { from: '09-25', to: '08-10' },
};
/** The first fields of the demo grower are of the crops' country; the others are cases of their own. */
const CROP_FIELDS = 4;

/** One GDD job per crop, for its newest season: a table, a chart each, a section of the page. */
export async function demonstrateGdd(client: DemoClient, folder: string): Promise<GddSection> {
  console.log('\nGrowing degree days: one job per crop, for its newest season');
  const today = new Date().toISOString().slice(0, 10);
  const run = Date.now().toString(36);
  const show = progressOf(crops);
  const insights = await Promise.all(
    crops.map((crop, index) => {
      const fieldId = client.service.fieldIds[index % CROP_FIELDS] ?? '';
      const job = { name: crop.toLowerCase(), crop, run, fieldId, span: spanOf(CROP_SEASONS[crop], today) };
      return insightOfJob(client, job, (status) => {
        show(crop, status);
      });
    }),
  );
  const rows = insights.map(({ record }) => rowOf(record));
  console.log(
    `\n${tableOf(['crop', 'total °C·day', 'observed', 'provisional', 'forecast', 'normal', 'next stage', 'when'], rows)}`,
  );
  const figures = insights.map(({ record, svg }) => {
    const file = `gdd-${record.crop.toLowerCase()}.svg`;
    writeFileSync(join(folder, file), svg);
    return { file, caption: captionOf(record) };
  });
  return {
    title: 'Growing degree days',
    text: 'One job per crop, for its newest season. The local weather is synthetic.',
    figures,
    jobs: new Map(crops.map((crop) => [crop, jobIdOf(run, crop.toLowerCase())])),
  };
}

/** One GDD job for each field whose weather is hard to get right, and what its result says about that. */
export async function demonstrateWeather(client: DemoClient, folder: string): Promise<GddSection> {
  console.log('\nWeather that is hard to get right: one job per case; an outage is waited for, up to two minutes');
  const today = new Date().toISOString().slice(0, 10);
  const run = Date.now().toString(36);
  const show = progressOf(WEATHER_CASES.map(({ name }) => name));
  const cases = await Promise.all(
    WEATHER_CASES.map(async ({ season, ...each }) => ({
      each,
      insight: await insightOfJob(client, { ...each, run, span: spanOf(season, today) }, (status) => {
        show(each.name, status);
      }),
    })),
  );
  const rows = cases.map(({ each, insight: { record } }) => [
    each.title,
    ...[record.total, record.forecastTotal, record.normalTotal].map((sum) => sum.toFixed(1)),
    record.location.elevationM === undefined ? '–' : `${record.location.elevationM} m`,
    `±${record.uncertainty.place.toFixed(0)}`,
    record.incomplete === undefined ? 'no' : 'yes',
  ]);
  const header = ['case', 'total °C·day', 'forecast', 'normal', 'height', 'place', 'incomplete'];
  console.log(`\n${tableOf(header, rows)}`);
  for (const { each, insight } of cases) {
    console.log(`\n${each.title}`);
    for (const warning of insight.record.warnings) console.log(`  ${warning}`);
  }
  const figures = cases.map(({ each, insight: { svg } }) => {
    const file = `gdd-case-${each.name}.svg`;
    writeFileSync(join(folder, file), svg);
    return { file, caption: `${each.title}. ${each.shows}` };
  });
  return {
    title: 'Weather that is hard to get right',
    text: 'Three fields of the demo grower. The local weather and its mountains are synthetic.',
    figures,
    jobs: new Map(WEATHER_CASES.map(({ name }) => [name, jobIdOf(run, name)])),
  };
}

interface GddDemoJob {
  /** Part of the job's id. */
  readonly name: string;
  readonly crop: string;
  readonly run: string;
  readonly fieldId: string;
  readonly span: { readonly gddStartDate: string; readonly gddEndDate: string };
  readonly startEvent?: string;
}

async function insightOfJob(
  client: DemoClient,
  { name, crop, run, fieldId, span, startEvent }: GddDemoJob,
  onStatus: (status: string) => void,
): Promise<{ readonly record: GddInsight; readonly svg: string }> {
  const { partyId } = client.service;
  const requestPath = `/v1/gdd/${jobIdOf(run, name)}`;
  const season = { crop, ...span, ...(startEvent !== undefined && { startEvent }) };
  await client.operate('gdd:create', {
    requestPath,
    partnerRequestBody: { partyId, resourceType: 'Field', resourceId: fieldId, ...season },
  });
  const job = await client.untilEnded('gdd', requestPath, onStatus);
  if (job.insightId === undefined) throw new Error(`The job ${requestPath} has not succeeded. ${job.message}`);
  const record = JSON.parse(await client.insight(job.insightId, 'application/json')) as GddInsight;
  return { record, svg: await client.insight(job.insightId, 'image/svg+xml') };
}

/** Sums of a season, and the stage that is next and when; of a season that frost ended, that. */
export function rowOf(record: GddInsight): string[] {
  const { crop, total, observedTotal, provisionalTotal, forecastTotal, normalTotal } = record;
  const sums = [total, observedTotal, provisionalTotal, forecastTotal, normalTotal].map((sum) => sum.toFixed(1));
  const next = record.stages.find(({ date }) => date === null || date > record.asOfDate);
  return [crop, ...sums, ...(killingFrostOf(record) ?? [next?.code ?? '–', next === undefined ? '–' : whenOf(next)])];
}

/** Told in place of the next stage. */
function killingFrostOf({ warnings }: GddInsight): [string, string] | undefined {
  const told = warnings.find((warning) => warning.startsWith('A killing frost'));
  return told === undefined ? undefined : ['ended by frost', /\d{4}-\d\d-\d\d/.exec(told)?.[0] ?? ''];
}

function whenOf({ date, earliest, latest }: GddInsight['stages'][number]): string {
  if (date === null) return 'after the period';
  return earliest === latest ? date : `${date} (${earliest ?? '…'} to ${latest ?? 'later'})`;
}

const captionOf = ({ crop, total, asOfDate }: GddInsight): string => `${crop}: ${total} °C·day, as of ${asOfDate}`;
