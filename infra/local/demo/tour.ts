import { newCode } from '../console/codes.js';
import { consoleAddress } from '../console/consoleAddress.js';
import { WEATHER_CASES } from './weatherCases.js';

/** A place of the console that is worth a look. */
export interface TourStop {
  readonly title: string;
  readonly shows: string;
  /** As the console's fragment names it; the fields when absent. */
  readonly place?: string;
}

/** What the demo has done, as far as the console shows it by itself. */
export interface Toured {
  /** Ids of the degree-day jobs, by crop and by weather case. */
  readonly seasons: ReadonlyMap<string, string>;
}

/** The stops of the console's tour, the newcomer's first. */
export function tourStops({ seasons }: Toured): readonly TourStop[] {
  const corn = seasons.get('CORN');
  return [
    {
      title: 'The fields of a farm',
      shows: 'Pictures of a summer on the map: walk through the days with the arrow keys, compare two, take one along.',
    },
    ...(corn === undefined
      ? []
      : [
          {
            title: 'Degree-days of corn',
            shows: 'A season against thirty years: point at a day to read it.',
            place: `degree-days/${corn}`,
          },
        ]),
    ...WEATHER_CASES.flatMap(({ name, title, shows }) => {
      const job = seasons.get(name);
      return job === undefined ? [] : [{ title, shows, place: `degree-days/${job}` }];
    }),
    {
      title: 'The boundary of a field',
      shows: 'Click into a field of the farm: its edge is found, can be adjusted, named and enrolled.',
      place: 'boundary',
    },
    {
      title: 'Fields of your own',
      shows: 'Drop a GeoJSON, KML, KMZ or zipped shapefile: what is wrong with a field is shown at its place.',
      place: 'add',
    },
  ];
}

/** The tour as text: each stop with an address that signs in once. @param directory LOCAL_DIR of the service */
export function tourText(stops: readonly TourStop[], baseUrl: string, directory: string, now: Date): string {
  const lines = stops.map(
    ({ title, shows, place }) =>
      `  ${title}\n    ${shows}\n    ${consoleAddress(baseUrl, newCode(directory, now), place)}`,
  );
  return `The console's tour; each address signs in once, and npm run console prints another:\n\n${lines.join('\n\n')}\n`;
}
