import { isJsonObject } from '../http/exchange.js';

type Members = Readonly<Record<string, unknown>>;
/** Makes an item odd. */
type Form = (item: Members) => unknown;

const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {});
const withProperties =
  (changes: Members): Form =>
  (item) => ({ ...item, properties: { ...membersOf(item['properties']), ...changes } });

/** The item with each of its files, or one of them, changed. */
const withFiles =
  (change: (file: Members, name: string) => Members): Form =>
  (item) => {
    const files = Object.entries(membersOf(item['assets']));
    return { ...item, assets: Object.fromEntries(files.map(([name, file]) => [name, change(membersOf(file), name)])) };
  };
const isNear = (name: string): boolean => name === 'nir' || name === 'B08';

/** An outline of 20,000 corners around the place of the item: as text some 800,000 characters. */
const endlessOutline: Form = (item) => {
  const corner = (index: number): readonly number[] => {
    const angle = (index * 2 * Math.PI) / 19_999;
    return [13.14 + 0.123456789 * Math.cos(angle), 48.29 + 0.123456789 * Math.sin(angle)];
  };
  const ring = Array.from({ length: 19_999 }, (_, index) => corner(index));
  return { ...item, geometry: { type: 'Polygon', coordinates: [[...ring, corner(0)]] } };
};

/**
 * What catalogues have been seen to answer among sound items, and worse, by name. No image can be made of any of these:
 * some name no instant, some no place, some no files that can be read.
 */
export const REFUSED_FORMS: Readonly<Record<string, Form>> = {
  'no-files': (item) => ({ ...item, assets: {} }),
  'no-list-of-files': (item) => ({ ...item, assets: null }),
  'no-outline': (item) => ({ ...item, geometry: null }),
  'endless-outline': endlessOutline,
  'no-instant': withProperties({ datetime: null }),
  'impossible-day': withProperties({ datetime: '2026-02-30T10:05:59.024Z' }),
  'impossible-second': withProperties({ datetime: '2026-06-17T10:05:60Z' }),
  'no-time-zone': withProperties({ datetime: '2026-06-17T10:05:59' }),
  'no-properties': (item) => ({ ...item, properties: null }),
  'no-id': (item) => ({ ...item, id: null }),
  'no-object': () => null,
  'number-for-text': withProperties({ 's2:processing_baseline': 5.11 }),
  'jpeg-in-a-bucket': withFiles((file, name) => ({
    ...file,
    href: `s3://sentinel-s2-l2a/${name}.jp2`,
    type: 'image/jp2',
  })),
  'relative-without-link': (item) => ({
    ...membersOf(withFiles((file, name) => ({ ...file, href: `./${name}.tif` }))(item)),
    links: [],
  }),
  'another-scale': withFiles((file, name) =>
    isNear(name) ? { ...file, 'raster:bands': [{ nodata: 0, scale: 0.001 }] } : file,
  ),
  'different-offsets': withFiles((file, name) => ({
    ...file,
    'raster:bands': [{ nodata: 0, scale: 0.0001, offset: isNear(name) ? -0.2 : -0.1 }],
  })),
};

/** Odd items that are whole all the same: an image can be made of each. */
export const WHOLE_FORMS: Readonly<Record<string, Form>> = {
  'start-of-interval': withProperties({
    datetime: null,
    start_datetime: '2026-06-17T10:05:59.024Z',
    end_datetime: '2026-06-17T10:06:14.000Z',
  }),
  'leap-second': withProperties({ datetime: '2026-06-17T23:59:60Z' }),
  'no-platform': withProperties({ platform: null }),
  'no-datastrip': withProperties({ 's2:datastrip_id': null }),
  'empty-tile': withProperties({ 'grid:code': '', 's2:mgrs_tile': '' }),
  'tile-of-another-zone': withProperties({ 'grid:code': 'MGRS-19QHA', 's2:mgrs_tile': '19QHA' }),
  'relative-with-link': withFiles((file, name) => ({ ...file, href: `./${name}.tif` })),
  'no-link': (item) => ({ ...item, links: null }),
};

const FORMS: Readonly<Record<string, Form>> = { ...REFUSED_FORMS, ...WHOLE_FORMS };

/** The id under which a catalogue answers an item in an odd form. */
export const oddId = (id: string, form: string): string => `${id}_${form}_ODD`;

/** The item as it is answered: in the odd form that its id names, else as it is. */
export function asAnswered(item: Members): unknown {
  const [, name = ''] = /_([a-z-]+)_ODD$/.exec(String(item['id'])) ?? [];
  return Object.hasOwn(FORMS, name) ? FORMS[name]?.(item) : item;
}
