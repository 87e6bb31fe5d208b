import sax, { type SAXParser, type Tag } from 'sax';
import { ImportFault } from './importFault.js';
import { OpenPlacemark, type KmlPlacemark } from './kmlPlacemark.js';
import { xmlText } from './kmlText.js';

const MB = 1024 * 1024;
const MOST_MB = 50;
/** Of a KML file. */
export const MOST_KML_BYTES = MOST_MB * MB;
const MOST_ELEMENTS = 1_000_000;
/** Real files have some ten; deeper ones would only take time. */
const MOST_LEVELS = 200;
const MOST_CORNERS = 1_000_000;
/** A corner has at most one comma behind each of its three numbers. */
const MOST_COMMAS = 3 * MOST_CORNERS;
/** Characters kept of a text other than coordinates. */
const MOST_TEXT = 1_000;
/** Of one element; real ones have some ten. */
const MOST_ATTRIBUTES = 1_000;
/** Each costs an error of the parser; real files have few. */
const MOST_HARMLESS = 1_000;
/** What a parser may find strange, though elements and their order are sound. */
const HARMLESS =
  /^(Invalid character entity|Invalid character in entity name|Unencoded <|Malformed comment|Attribute without value|Unquoted attribute value|No whitespace between attributes|Text data outside of root node|Max buffer length exceeded: comment)/;
const SIDES = new Map<string, 'outer' | 'inner'>([
  ['outerBoundaryIs', 'outer'],
  ['innerBoundaryIs', 'inner'],
]);
const OWN_VALUES = ['name', 'address', 'phoneNumber'];

/** A KML file as it is named in messages, with its bytes. */
export interface KmlFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The placemarks of a KML file, by the names of its elements without prefix and namespace, as real files have them. No
 * entity is expanded, nothing is loaded, and of the file only the placemark that is being read is kept.
 *
 * @param turn is awaited between pieces of the file
 * @throws ImportFault for a file that is no sound KML, too large, or without any placemark
 */
export async function* kmlPlacemarks(
  { name, bytes }: KmlFile,
  turn?: () => Promise<void>,
): AsyncGenerator<KmlPlacemark> {
  if (bytes.byteLength > MOST_KML_BYTES) {
    const text = `${name} has ${Math.round(bytes.byteLength / MB)} MB of KML; at most ${MOST_MB} MB are taken. Split it.`;
    throw new ImportFault(text);
  }
  const reader = new PlacemarkReader(name);
  for (const text of xmlText(bytes)) {
    yield* reader.read(text);
    await turn?.();
  }
  reader.end();
}

/** Reads placemarks from the text of a file. */
class PlacemarkReader {
  readonly #file: string;
  readonly #parser: SAXParser;
  /** Names of the elements that are open, without prefix. */
  readonly #open: string[] = [];
  /** Types of the values of a schema, by its id and their name. */
  readonly #types = new Map<string, string>();
  #root = '';
  #schema = '';
  #key = '';
  #side: 'outer' | 'inner' = 'outer';
  #placemark: OpenPlacemark | undefined;
  /** Of the element that is open, where it is wanted. */
  #text: string | undefined;
  #ready: KmlPlacemark[] = [];
  #count = 0;
  #elements = 0;
  /** Of the tag that is being read. */
  #attributes = 0;
  #commas = 0;
  #harmless = 0;
  #hasLink = false;
  #isEnding = false;

  constructor(file: string) {
    this.#file = file;
    const parser = sax.parser(true);
    parser.onattribute = () => {
      this.#attributes += 1;
      if (this.#attributes > MOST_ATTRIBUTES)
        throw this.#unsound(`an element with more than ${MOST_ATTRIBUTES} attributes in line ${this.#line()}`);
    };
    parser.onopentag = (tag) => {
      this.#attributes = 0;
      this.#begin(tag as Tag);
    };
    parser.onclosetag = () => {
      this.#close();
    };
    parser.ontext = parser.oncdata = (text) => {
      this.#add(text);
    };
    parser.ondoctype = (text) => {
      if (/<!ENTITY/i.test(text)) throw this.#unsound('it declares entities of its own');
    };
    parser.onerror = ({ message }) => {
      if (this.#isEnding) throw this.#unsound(`it is cut off${this.#within()}`);
      this.#harmless += 1;
      if (!HARMLESS.test(message) || this.#harmless > MOST_HARMLESS)
        throw this.#unsound(`${lineOf(message)} in line ${this.#line()}`);
      parser.resume();
    };
    this.#parser = parser;
  }

  /** The placemarks that end in this piece of text. */
  read(text: string): readonly KmlPlacemark[] {
    this.#ready = [];
    try {
      this.#parser.write(text);
    } catch (error) {
      // The parser stumbles over attributes with names of what objects have by themselves.
      throw error instanceof ImportFault ? error : this.#unsound(`it cannot be read in line ${this.#line()}`);
    }
    return this.#ready;
  }

  /** @throws ImportFault for a file that was cut off, or has no placemark */
  end(): void {
    this.#isEnding = true;
    this.#parser.close();
    if (this.#count > 0) return;
    if (this.#root === '') throw this.#unsound('it has no elements');
    if (this.#hasLink) {
      const text = `${this.#file} has no fields of its own: it links to another file. Open the link, and save the fields themselves.`;
      throw new ImportFault(text);
    }
    if (this.#root !== 'kml') throw this.#unsound(`its first element is <${this.#root}>, and it has no placemark`);
    throw new ImportFault(`${this.#file} has no placemark. Draw the fields as polygons, and save them.`);
  }

  #begin({ name, attributes }: Tag): void {
    const [element, parent] = [localName(name), this.#open.at(-1) ?? ''];
    this.#open.push(element);
    this.#checkLimits();
    this.#text = undefined;
    if (this.#root === '') this.#root = element.slice(0, 40);
    if (element === 'NetworkLink') this.#hasLink = true;
    else if (element === 'Schema') this.#schema = attributes['id'] ?? '';
    else if (element === 'SimpleField') this.#setType(attributes);
    else if (element === 'Placemark') this.#beginPlacemark();
    else if (this.#placemark !== undefined) this.#beginPart(element, parent, attributes);
  }

  #beginPlacemark(): void {
    if (this.#placemark !== undefined) throw this.#unsound(`a placemark in a placemark in line ${this.#line()}`);
    this.#placemark = new OpenPlacemark(this.#count);
    this.#count += 1;
  }

  #beginPart(element: string, parent: string, attributes: Tag['attributes']): void {
    const side = SIDES.get(element);
    if (side !== undefined) this.#side = side;
    else if (element === 'Polygon') this.#placemark?.beginPolygon();
    else if (element === 'SchemaData') this.#schema = (attributes['schemaUrl'] ?? '').replace(/^.*#/, '');
    else if (element === 'Data' || element === 'SimpleData') this.#key = attributes['name'] ?? '';
    if (this.#isWanted(element, parent)) this.#text = '';
  }

  #isWanted(element: string, parent: string): boolean {
    if (element === 'coordinates') return parent === 'LinearRing' && SIDES.has(this.#open.at(-3) ?? '');
    if (parent === 'Placemark') return OWN_VALUES.includes(element);
    return element === 'SimpleData' || (element === 'value' && parent === 'Data');
  }

  #close(): void {
    const element = this.#open.pop() ?? '';
    const text = this.#text;
    this.#text = undefined;
    if (element === 'Placemark' && this.#placemark !== undefined) {
      this.#ready.push(this.#placemark.ended());
      this.#placemark = undefined;
    } else if (text !== undefined) this.#take(element, text);
  }

  #take(element: string, text: string): void {
    if (element === 'coordinates') this.#placemark?.addRing(this.#side, text);
    else if (OWN_VALUES.includes(element)) this.#placemark?.addValue(element, text);
    else this.#placemark?.addValue(this.#key, text, element === 'SimpleData' ? this.#typeOfKey() : undefined);
  }

  #add(text: string): void {
    if (this.#text === undefined) return;
    if (this.#open.at(-1) !== 'coordinates') {
      this.#text = (this.#text + text).slice(0, MOST_TEXT);
      return;
    }
    if (this.#placemark?.hasRoom(text.length) === true) this.#text += text;
    this.#commas += commasIn(text);
    if (this.#commas > MOST_COMMAS) {
      const most = MOST_CORNERS.toLocaleString('en');
      const words = `${this.#file} has more than ${most} corners, which is the most that is taken. Split it, or simplify its boundaries.`;
      throw new ImportFault(words);
    }
  }

  #setType(attributes: Tag['attributes']): void {
    this.#types.set(`${this.#schema} ${attributes['name'] ?? ''}`, attributes['type'] ?? '');
  }

  #typeOfKey(): string | undefined {
    return this.#types.get(`${this.#schema} ${this.#key}`);
  }

  #checkLimits(): void {
    this.#elements += 1;
    if (this.#elements > MOST_ELEMENTS) {
      const most = MOST_ELEMENTS.toLocaleString('en');
      throw new ImportFault(`${this.#file} has more than ${most} elements, which is the most that is taken. Split it.`);
    }
    if (this.#open.length > MOST_LEVELS) {
      const text = `${this.#file} is nested more than ${MOST_LEVELS} levels deep. Save it anew, with fewer folders.`;
      throw new ImportFault(text);
    }
  }

  #line(): number {
    return this.#parser.line + 1;
  }

  #within(): string {
    const element = this.#open.at(-1);
    return element === undefined ? '' : ` within <${element.slice(0, 40)}>`;
  }

  #unsound(why: string): ImportFault {
    return new ImportFault(`${this.#file} is no sound KML: ${why.slice(0, 120)}. Save it anew.`);
  }
}

/** What a parser says, without where. */
const lineOf = (message: string): string => message.replace(/\.?\n.*/s, '');

/** Of an element with any prefix, declared or not. */
const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

function commasIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) count += 1;
  return count;
}
