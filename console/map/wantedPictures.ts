import { nearTo, type FieldOnMap } from './fieldsOnMap.js';
import { isInFrame } from './frame.js';
import type { DayOnMap } from './mapScene.js';
import type { WantedPicture } from './picture.js';
import { pathOf } from './pictureLayer.js';
import type { MercatorBox } from './warp.js';

interface WantedView {
  readonly fields: readonly FieldOnMap[];
  /** What of the map is in view. */
  readonly box: MercatorBox;
  /** Comes first. */
  readonly selected: string | undefined;
  /** Metres on the ground of a pixel of the screen. */
  readonly pixelSizeM: number;
}

/** The pictures that days have of the fields in view, in the order in which they are to come. */
export function wantedPictures({
  fields,
  box,
  selected,
  pixelSizeM,
}: WantedView): (days: readonly DayOnMap[]) => readonly WantedPicture[] {
  const inView = fields.filter((field) => isInFrame({ box }, field.box)).sort(nearTo(box, selected));
  return (days) =>
    days.flatMap((shown) =>
      inView.flatMap(({ id }): WantedPicture[] => {
        const path = pathOf(shown.fields.get(id), shown.layer);
        return path === undefined ? [] : [{ path, name: shown.layer, pixelSizeM, range: shown.range }];
      }),
    );
}
