import { areaNumber, areaUnit, units } from './units.js';

/** What the interface of programs calls things, and what the page calls them. */
const WORDS: readonly (readonly [name: string, words: string])[] = [
  ['start_date', 'the first day'],
  ['end_date', 'the last day'],
  ['field_id', 'the name'],
  ['group', 'the group'],
  ['image_source', 'the source of imagery'],
  ['imageStartDate', 'the first day of imagery'],
  ['imageEndDate', 'the last day of imagery'],
  ['pointOnSurface', 'the place'],
  ['gddStartDate', 'the first day'],
  ['gddEndDate', 'the last day'],
  ['partyId', 'the party'],
  ['farmId', 'the farm'],
  ['resourceId', 'the field'],
  ['resourceType', 'the kind of land'],
  ['startEvent', 'what the first day is'],
  ['temperatureUnit', 'the unit'],
];
const NAMES = new RegExp(
  String.raw`\b(?:partnerRequestBody\.|properties\.)?(?:(the|this|that|another|a|no) )?(${WORDS.map(([name]) => name).join('|')})\b`,
  'g',
);
const BY_NAME = new Map(WORDS);

/** What the page calls something, behind the word that stands before its name. */
function wordsFor(found: string, before: string | undefined, name: string): string {
  const words = BY_NAME.get(name) ?? found;
  return before === undefined ? words : words.replace(/^the\b/, before);
}

const AREA = /(?<![\d.])(\d+(?:\.(\d+))?) ha\b/g;

/** An area as the page shows areas, as fine as it was told. */
const areaFor = (found: string, areaHa: string, decimals = ''): string =>
  units.value === 'us' ? `${areaNumber(Number(areaHa), Math.max(1, decimals.length))} ${areaUnit()}` : found;

/** A message of the service in the page's words and units: people have not seen the names that programs use. */
export const plainWords = (text: string): string => text.replaceAll(NAMES, wordsFor).replaceAll(AREA, areaFor);
