import type { JSX } from 'preact';
import { shortDay } from '../../parts/dateText.js';
import { Segments } from '../../parts/segments.js';
import { change, type Ground, type SearchState } from './boundaryStore.js';

interface GroundChoiceProps {
  readonly search: SearchState;
  /** Day of the newest picture of the own field at the place. */
  readonly ownDate: string | undefined;
}

/** Which picture lies under the outlines; nothing where there is none. */
export function GroundChoice({ search, ownDate }: GroundChoiceProps): JSX.Element | null {
  const { found, ground, sceneError } = search;
  const sceneDate = sceneError === undefined ? found?.picture?.date : undefined;
  const offered: readonly (readonly [Ground, string])[] = [
    ...(sceneDate === undefined ? [] : [['scene', `Scene of ${shortDay(sceneDate)}`] as const]),
    ...(ownDate === undefined ? [] : [['own', `Your picture of ${shortDay(ownDate)}`] as const]),
    ['map', 'Map'],
  ];
  const shown = offered.some(([each]) => each === ground) ? ground : 'map';
  return (
    <>
      {offered.length < 2 ? null : (
        <Segments
          legend="Under the outlines"
          name="ground"
          offered={offered}
          chosen={shown}
          onChoose={(chosen) => {
            change({ ground: chosen });
          }}
        />
      )}
      {sceneError === undefined ? null : <p class="note">The scene that the job read could not be loaded.</p>}
    </>
  );
}
