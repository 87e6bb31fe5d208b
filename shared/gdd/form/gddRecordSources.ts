import { Type } from 'typebox';
import {
  amount,
  calendarDay,
  count,
  described,
  instant,
  word,
  type RecordOf,
} from '../../jobs/insight/recordSchema.js';

// What a GDD record says of the weather behind it. The descriptions are those of the OpenAPI document.

export const GddCoverage = described(
  'GddCoverage',
  {
    observed: count('Days of the archive, with the interpolated ones'),
    provisional: count('Days that providers still revise'),
    forecast: count('Days of the forecast'),
    normal: count('Days that rest on normals'),
    interpolated: count('Days in short gaps'),
    longestGap: count('Longest run of past days without weather of their own'),
  },
  'Days by source',
);

const correction = { tmax: amount('Added to maxima, °C'), tmin: amount('Added to minima, °C') };

export const GddSourceRecord = described(
  'GddSource',
  {
    product: word('What it gave: archive, forecast, reference or height'),
    provider: word('Who gave it'),
    model: word('The model behind it'),
    gridLatitude: amount('Centre of the grid cell, degrees'),
    gridLongitude: amount('Centre of the grid cell, degrees'),
    gridElevationM: Type.Optional(amount('Height of the grid cell, m')),
    dayBoundary: Type.Optional(word('When its days begin; absent for the terrain model')),
    elevationCorrectionC: Type.Optional(
      described('ElevationCorrection', correction, 'Added to every temperature for the difference in height'),
    ),
    biasCorrectionC: Type.Optional(
      described(
        'BiasCorrection',
        { ...correction, days: count('Days that the archive has too') },
        'Added beside that to the forecast: what it was too low by on the days that the archive has too',
      ),
    ),
    retrievedAt: Type.Optional(instant('When it was asked')),
    attribution: word('To be shown wherever the figures are'),
    licence: word('Of the data'),
  },
  'Weather or height that the figures rest on',
);

export const GddShortcoming = described(
  'GddShortcoming',
  {
    reason: Type.Enum(['forecast', 'archive', 'normals', 'gap'], {
      description:
        'What did not answer in time; gap: past days that no source has although they should be there by now',
    }),
    from: calendarDay('First of the days that rest on less than they should'),
    to: calendarDay('Last of them'),
  },
  'What a result had to do without',
);
/** Days of a record that lack a source they should have. */
export type GddShortcoming = RecordOf<typeof GddShortcoming>;
