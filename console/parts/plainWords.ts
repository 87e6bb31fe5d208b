/** What the interface of programs calls things, and what the page calls them. */
const WORDS: readonly (readonly [name: string, words: string])[] = [
  ['start_date', 'the first day'],
  ['end_date', 'the last day'],
  ['field_id', 'the name'],
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
  String.raw`\b(?:partnerRequestBody\.)?(?:the )?(${WORDS.map(([name]) => name).join('|')})\b`,
  'g',
);
const BY_NAME = new Map(WORDS);

/** A message of the service in the page's words: people have not seen the names that programs use. */
export const plainWords = (text: string): string =>
  text.replaceAll(NAMES, (found, name: string) => BY_NAME.get(name) ?? found);
