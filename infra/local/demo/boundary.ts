import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import type { DemoClient } from './client.js';
import type { DemoSection } from './page.js';
import { progressOf } from './progress.js';
import { tableOf } from './textTable.js';

/** The parts of a Smart Boundary insight that the demo shows. */
interface BoundaryInsight {
  readonly areaHectares: number;
  readonly perimeterMeters: number;
  readonly confidence: number;
  readonly confidenceClass: string;
  readonly scenes: readonly { readonly date: string; readonly isUsed: boolean }[];
}

interface DemoPlace {
  readonly name: string;
  readonly point: { readonly longitude: number; readonly latitude: number };
}

/** Further fields of the demo's farmland; the first place is the service's own point. */
const OTHER_PLACES: readonly DemoPlace[] = [
  { name: 'north', point: { longitude: -92.992542, latitude: 41.540624 } },
  { name: 'east', point: { longitude: -92.941281, latitude: 41.510509 } },
];

/** The period ends so long ago that its scenes are there, and holds at least one clear one. */
const DAYS_BACK = 21;
const DAYS_LONG = 11;

/** Predicts three boundaries from the satellite scenes of a fortnight: a table, GeoJSON and a picture each. */
export async function demonstrateBoundary(client: DemoClient, folder: string): Promise<DemoSection> {
  const imageStartDate = addDays(new Date().toISOString().slice(0, 10), -DAYS_BACK);
  const span = { imageStartDate, imageEndDate: addDays(imageStartDate, DAYS_LONG) };
  const places = [{ name: 'point', point: client.service.pointOnSurface }, ...OTHER_PLACES];
  console.log(
    `\nSmart Boundary: the fields round ${places.length} points, ${span.imageStartDate} to ${span.imageEndDate}`,
  );
  const run = Date.now().toString(36);
  const show = progressOf(places.map(({ name }) => name));
  const boundaries = await Promise.all(
    places.map(async (place) => ({ place, ...(await boundaryAt(client, { place, run, span, show })) })),
  );
  const head = ['point', 'hectares', 'metres round', 'confidence', 'class', 'clear days'];
  console.log(
    `\n${tableOf(
      head,
      boundaries.map(({ place, record }) => rowOf(place, record)),
    )}`,
  );
  const figures = boundaries.map(({ place, record, svg, geoJson }) => {
    const file = `boundary-${place.name}.svg`;
    writeFileSync(join(folder, file), svg);
    writeFileSync(join(folder, `boundary-${place.name}.geojson`), geoJson);
    return { file, caption: captionOf(place, record) };
  });
  return {
    title: 'Field boundaries',
    text: `The field at a point, from scenes of ${span.imageStartDate} to ${span.imageEndDate}. The local scenes are synthetic. The outlines lie beside this page as GeoJSON.`,
    figures,
  };
}

interface BoundaryDemoJob {
  readonly place: DemoPlace;
  readonly run: string;
  readonly span: { readonly imageStartDate: string; readonly imageEndDate: string };
  readonly show: (name: string, status: string) => void;
}

async function boundaryAt(client: DemoClient, { place, run, span, show }: BoundaryDemoJob) {
  const { partyId, farmId } = client.service;
  const requestPath = `/v1/smart-boundary/demo-${run}-${place.name}`;
  await client.operate('smartBoundary:create', {
    requestPath,
    partnerRequestBody: { partyId, resourceType: 'Farm', resourceId: farmId, pointOnSurface: place.point, ...span },
  });
  const { insightId, message } = await client.untilEnded('smartBoundary', requestPath, (status) => {
    show(place.name, status);
  });
  if (insightId === undefined) throw new Error(`The job for ${place.name} has not succeeded. ${message}`);
  return {
    record: JSON.parse(await client.insight(insightId, 'application/json')) as BoundaryInsight,
    svg: await client.insight(insightId, 'image/svg+xml'),
    geoJson: await client.insight(insightId, 'application/geo+json'),
  };
}

function rowOf({ name }: DemoPlace, record: BoundaryInsight): string[] {
  const { areaHectares, perimeterMeters, confidence, confidenceClass, scenes } = record;
  const days = scenes.filter(({ isUsed }) => isUsed).length;
  return [
    name,
    areaHectares.toFixed(2),
    perimeterMeters.toFixed(0),
    confidence.toFixed(2),
    confidenceClass,
    String(days),
  ];
}

const captionOf = ({ point: { longitude, latitude } }: DemoPlace, record: BoundaryInsight): string =>
  `${longitude.toFixed(4)}, ${latitude.toFixed(4)}: ${record.areaHectares.toFixed(1)} ha, confidence ${record.confidence.toFixed(2)}`;
