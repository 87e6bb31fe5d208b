import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FieldMap } from '../map/mapScene.js';
import { fromMercator } from '../map/mercator.js';
import type { BasePlace } from '../map/base/baseData.js';
import type { ComboOption } from './comboChoice.js';
import { Combobox } from './combobox.js';
import { loadChunk } from './loadChunk.js';

/** A town with the country around it. */
const METRES_PER_PIXEL = 10;

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

/** `Iowa` has no name in the browser: its code has, as addresses there do. */
const optionOf = ({ name, region }: BasePlace, index: number): ComboOption => ({
  id: String(index),
  text: [name, region.slice(2), regionNames.of(region.slice(0, 2)) ?? ''].filter((part) => part !== '').join(', '),
});

/** The towns of the built-in base, the largest first; none before they are asked for, and where they don't come. */
async function readPlaces(): Promise<readonly BasePlace[]> {
  const { loadBase } = await loadChunk('baseLayer', () => import('../map/base/baseLayer.js'));
  return (await loadBase()).places;
}

interface Towns {
  readonly places: readonly BasePlace[];
  readonly options: readonly ComboOption[];
}

/** Brings the map to a town by its name. The names are the page's own: nobody is asked for them. */
export function GoToPlace({ map }: { readonly map: FieldMap | undefined }): JSX.Element {
  const [isWanted, setWanted] = useState(false);
  const [chosen, setChosen] = useState('');
  const [{ places, options }, setTowns] = useState<Towns>({ places: [], options: [] });
  useEffect(() => {
    if (!isWanted) return;
    readPlaces().then(
      (read) => {
        setTowns({ places: read, options: read.map(optionOf) });
      },
      () => {
        setWanted(false);
      },
    );
  }, [isWanted]);
  return (
    <div
      onFocusCapture={() => {
        setWanted(true);
      }}
    >
      <Combobox
        name="Go to a place"
        options={options}
        chosen={chosen}
        isDisabled={map === undefined}
        placeholder="A town, such as Ames, IA"
        onChoose={(id) => {
          const place = places[Number(id)];
          if (place === undefined) return;
          setChosen(id);
          map?.setPosition({ centre: fromMercator(place.at), metresPerPixel: METRES_PER_PIXEL });
        }}
      />
      <small>
        Larger towns of the world, by GeoNames (CC BY 4.0). Where yours is missing, go to one near by and move the map.
      </small>
    </div>
  );
}
