import type { FieldOnMap } from './fieldsOnMap.js';
import type { DayOnMap } from './mapScene.js';
import type { WantedPicture } from './picture.js';
import { pathOf } from './pictureLayer.js';

interface WantedView {
  /** In the order in which they are to come. */
  readonly fields: readonly FieldOnMap[];
  /** Metres on the ground of a pixel of the screen. */
  readonly pixelSizeM: number;
}

/** The pictures that days have of the fields in view. */
export const wantedPictures =
  ({ fields, pixelSizeM }: WantedView) =>
  (days: readonly DayOnMap[]): readonly WantedPicture[] =>
    days.flatMap((shown) =>
      fields.flatMap(({ id }): WantedPicture[] => {
        const path = pathOf(shown.fields.get(id), shown.layer);
        return path === undefined ? [] : [{ path, name: shown.layer, pixelSizeM, range: shown.range }];
      }),
    );
