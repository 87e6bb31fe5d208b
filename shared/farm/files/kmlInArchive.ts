import { ImportFault } from './importFault.js';

const depthOf = (name: string): number => name.split('/').length;

/**
 * Which file of an archive is its KML: `doc.kml`, the one that lies highest, else the only one.
 *
 * @returns undefined where there is none
 * @throws ImportFault where there are several, and none is `doc.kml`
 */
export function kmlInArchive(names: readonly string[]): string | undefined {
  const found = names.filter((name) => /\.kml$/i.test(name));
  const [main] = found
    .filter((name) => /(^|\/)doc\.kml$/i.test(name))
    .toSorted((one, other) => depthOf(one) - depthOf(other));
  if (main !== undefined || found.length < 2) return main ?? found[0];
  const shown = found.slice(0, 2).map((name) => name.slice(0, 60).replaceAll(/\p{C}/gu, '?'));
  const text = `The archive has ${found.length} KML files (${shown.join(', ')}${found.length > 2 ? ', …' : ''}) and none is doc.kml; one is taken. Pack each by itself.`;
  throw new ImportFault(text);
}
