/** A keyword of well-known text with what stands in its brackets. */
export interface Wkt {
  readonly keyword: string;
  readonly values: readonly (Wkt | string)[];
}

/** Deeper than any real one. */
const MOST_LEVELS = 12;

/** Reads well-known text, of OGC 01-009, of Esri or of ISO 19162. @returns undefined for a text that is none */
export const readWkt = (text: string): Wkt | undefined => new WktReader(text).read();

/** What stands directly within a keyword, by its own keyword. */
export const within = ({ values }: Wkt, ...keywords: readonly string[]): Wkt | undefined =>
  values.find((value): value is Wkt => typeof value !== 'string' && keywords.includes(value.keyword));

/** The first thing in the brackets, as a rule a name; nothing for nothing. */
export const wktName = (wkt: Wkt | undefined): string => {
  const first = wkt?.values[0];
  return typeof first === 'string' ? first : '';
};

/** The second thing in the brackets, as a number. */
export const wktNumber = (wkt: Wkt | undefined): number => Number(wkt?.values[1] ?? NaN);

/** A name in small letters and digits alone: writers differ in the rest. */
export const plainWord = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

class WktReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.replace(/^\uFEFF/, '').match(/"[^"]*"|[[\](),]|[^\s[\](),"]+/g) ?? [];
  }

  read(level = 0): Wkt | undefined {
    const keyword = this.#next().toUpperCase();
    if (!/^[A-Z0-9_]+$/.test(keyword) || level > MOST_LEVELS || !'[('.includes(this.#next())) return undefined;
    const values: (Wkt | string)[] = [];
    for (let more = true; more; more = this.#next() === ',') {
      const isNested = '[('.includes(this.#tokens[this.#at + 1] ?? ' ');
      const value = isNested ? this.read(level + 1) : this.#next().replaceAll('"', '');
      if (value === undefined) return undefined;
      values.push(value);
    }
    return { keyword, values };
  }

  #next(): string {
    const token = this.#tokens[this.#at] ?? ' ';
    this.#at += 1;
    return token;
  }
}
