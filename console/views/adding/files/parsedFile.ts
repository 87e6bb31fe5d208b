import { exactText } from '../../../../shared/kit/json/exactJson.js';
import { ImportFault } from '../../../../shared/farm/files/importFault.js';
import type { ConvertedFile } from './fieldCollection.js';
import { FileFault } from './fileFault.js';

/** What a file holds, as GeoJSON has it. */
export interface ParsedFile {
  readonly value: unknown;
  /** True where the value is not what the file says, and so is what is sent: it is no GeoJSON, or has numbers that became texts. */
  readonly isConverted: boolean;
  /** What of it is left out. */
  readonly note: string | undefined;
}

/** The beginnings of a zip archive and of a .shp file. */
const [ZIP, SHAPES] = ['PK\u0003\u0004', '\0\0\u0027\u000a'];
const HEAD_BYTES = 512;

/**
 * Reads a file by what it begins with, whatever its name. What only other formats need is loaded for them.
 *
 * @throws FileFault
 */
export async function parsedFile(file: File): Promise<ParsedFile> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  if (head.startsWith(SHAPES)) {
    throw new FileFault(`${file.name} is one part of a shapefile. Pack .shp, .dbf, .prj and .cpg into one zip file.`);
  }
  if (head.startsWith(ZIP)) {
    return converted(file, async (bytes) => (await import('./archive.js')).archiveFields(bytes));
  }
  if (/^[^\w{[]*</.test(head)) {
    return converted(file, async (bytes) => (await import('./kmlFields.js')).kmlFields(file.name, bytes));
  }
  const text = await file.text();
  const value = parsedJson(text);
  const exact = exactText(text);
  return exact === text
    ? { value, isConverted: false, note: undefined }
    : { value: parsedJson(exact), isConverted: true, note: undefined };
}

async function converted(file: File, convert: (bytes: Uint8Array) => Promise<ConvertedFile>): Promise<ParsedFile> {
  try {
    const { collection, note } = await convert(new Uint8Array(await file.arrayBuffer()));
    return { value: collection, isConverted: true, note };
  } catch (error) {
    if (error instanceof ImportFault) throw new FileFault(error.message, { cause: error });
    throw error;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
    throw new FileFault(`This file is not JSON: ${why.slice(0, 200)}`, { cause: error });
  }
}
