import type { FieldDocuments } from '../../../shared/imagery/documents/updateIndex.js';
import { LAYER_NAMES } from '../../../shared/scenes/layers/layers.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { aScene } from '../builders.js';
import { UnitsUnderTest } from './unitsUnderTest.js';

const [CUSTOMER, FIELD, DAY] = ['contoso', 'north', '2026-06-17'] as const;
/** Of the days that a satellite shows a field, those with pictures. */
const PICTURES = 0.4;

interface Items {
  readonly features: readonly unknown[];
}
interface Index {
  readonly 'fieldimagery:dates': readonly unknown[];
}

/** Something of one day, as it would be of another: the date and every figure of some places are others. */
function onDay<T>(value: T, date: string): T {
  let state = Number(date.replaceAll('-', ''));
  const figure = (): string => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return `0.${String(state % 1_000_000).padStart(6, '1')}`;
  };
  const text = JSON.stringify(value)
    .replaceAll(DAY, date)
    .replaceAll(/(?<=:)0\.\d{3,}/g, figure);
  return JSON.parse(text) as T;
}

/** The documents of a field with four layers that was seen on so many days until yesterday, in the form that the service writes. */
export async function documentsOfYears(days: number, yesterday: string): Promise<FieldDocuments> {
  const service = new UnitsUnderTest(`${DAY}T18:00:00Z`);
  const request = { startDate: '2026-06-10', endDate: '2026-06-30', layers: LAYER_NAMES };
  const fields = [{ fieldId: FIELD, box: [13.14, 48.29, 13.1436, 48.2925] as const }];
  await service.enrol({ customer: CUSTOMER, enrollmentId: 'e', fields, request });
  await service.fanOut(await service.publish(aScene()));
  await service.doUnits();
  const stored = (name: string) =>
    service.imagery.documents.get(`${CUSTOMER}/field-imagery/sentinel-2/${FIELD}/${name}`)!;
  const [items, index] = [stored('items.json').document as Items, stored('index.json').document as Index];
  const [record] = await service.fieldDates.list(CUSTOMER, FIELD);
  const dates = Array.from({ length: days }, (_, back) => addDays(yesterday, Math.round(back * -2.5))).reverse();
  const made = dates.filter((_, index) => Math.floor(index * PICTURES) < Math.floor((index + 1) * PICTURES));
  return {
    index: {
      document: { ...index, 'fieldimagery:dates': dates.map((date) => onDay(index['fieldimagery:dates'][0], date)) },
      etag: 'mark',
    },
    items: { document: { ...items, features: made.map((date) => onDay(items.features[0], date)) }, etag: 'mark' },
    statistics: 'mark',
    recorded: dates.map((date) => {
      const isMade = made.includes(date);
      const hidden = { outcome: 'cloud', layers: [] } as const;
      return { ...onDay(record!, date), ...(isMade ? {} : hidden) };
    }),
  };
}
