import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import { fieldFile, type ListedField } from '../../api/fields.js';
import { fileName, readFile, save, saveText } from '../../parts/download.js';
import { Fault } from '../../parts/fault.js';
import { Icon } from '../../parts/icons.js';
import { zipParts } from '../../parts/zip.js';
import type { DayState } from './dayState.js';
import { fields } from './fieldsStore.js';
import { fieldsGeoJson } from './fieldsGeoJson.js';

interface DownloadsProps {
  readonly field: ListedField;
  readonly date: string;
  readonly layer: LayerName;
  readonly state: DayState;
  /** Saves what the map shows. */
  readonly picture: () => Promise<void>;
}

interface Choice {
  readonly name: string;
  readonly isThere: boolean;
  readonly get: () => Promise<void>;
}

async function getFile(name: string, ...path: readonly string[]): Promise<void> {
  const [fieldId = '', ...parts] = path;
  save(name, await readFile(await fieldFile(fieldId, ...parts)));
}

/** Every file of a day in one archive. */
async function getDay(fieldId: string, date: string, layers: readonly LayerName[]): Promise<void> {
  const names = [...layers.map((layer) => `${layer}.tiff`), 'metadata.json'];
  const entries = await Promise.all(
    names.map(async (name) => ({
      name: `${date}/${name}`,
      data: new Uint8Array(await (await readFile(await fieldFile(fieldId, date, name))).arrayBuffer()),
    })),
  );
  save(fileName(fieldId, `${date}.zip`), new Blob(zipParts(entries) as BlobPart[], { type: 'application/zip' }));
}

function choicesOf({
  field: { field_id: id },
  date,
  layer,
  state: { day },
  picture,
}: DownloadsProps): readonly Choice[] {
  const layers = day?.layers ?? [];
  return [
    { name: 'The map as a picture (PNG)', isThere: true, get: picture },
    {
      name: 'This GeoTIFF',
      isThere: layers.includes(layer),
      get: () => getFile(fileName(id, date, `${layer}.tiff`), id, date, `${layer}.tiff`),
    },
    { name: 'All of this day (zip)', isThere: layers.length > 0, get: () => getDay(id, date, layers) },
    {
      name: 'metadata.json of this day',
      isThere: layers.length > 0,
      get: () => getFile(fileName(id, date, 'metadata.json'), id, date, 'metadata.json'),
    },
    {
      name: 'Statistics of all days (CSV)',
      isThere: true,
      get: () => getFile(fileName(id, 'statistics.csv'), id, 'statistics.csv'),
    },
    {
      name: 'All fields (GeoJSON)',
      isThere: true,
      get: () => {
        saveText('fields.geojson', 'application/geo+json', fieldsGeoJson(fields.value ?? []));
        return Promise.resolve();
      },
    },
  ];
}

/** What can be taken along of a day and its field. Files are fetched by the page: no address holds a signature. */
export function Downloads(props: DownloadsProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event): void => {
      const isOutside = event.type === 'pointerdown' && !element.current?.contains(event.target as Node);
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (!isOutside && !isEscape) return;
      setOpen(false);
      if (isEscape) element.current?.querySelector('button')?.focus();
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, [isOpen]);
  const take = (get: Choice['get']): void => {
    setError(undefined);
    get().then(() => {
      setOpen(false);
    }, setError);
  };
  return (
    <div class="downloads" ref={element}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        <Icon name="download" /> <span>Download</span>
      </button>
      {isOpen ? (
        <div class="downloads-list">
          {choicesOf(props).map(({ name, isThere, get }) => (
            <button
              key={name}
              type="button"
              class="plain"
              disabled={!isThere}
              onClick={() => {
                take(get);
              }}
            >
              {name}
            </button>
          ))}
          {error === undefined ? null : <Fault error={error} />}
        </div>
      ) : null}
    </div>
  );
}
