import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pageSettings } from '../api/settings.js';
import { addressOf, fetchPicture } from '../api/storage.js';
import type { FieldMap, FieldMapOptions } from '../map/mapScene.js';
import { theme } from '../theme.js';
import { Icon } from './icons.js';
import { loadChunk } from './loadChunk.js';
import { Unloaded } from './unloaded.js';

/** Whom the map tells. */
export type MapEvents = Pick<
  FieldMapOptions,
  'onHover' | 'onClick' | 'onOutlineClick' | 'onEdge' | 'onEditing' | 'onMoved' | 'onReading' | 'onUnreadable'
>;

interface MapPaneProps {
  /** Name of the region for screen readers. */
  readonly label: string;
  readonly events: MapEvents;
  /** Given the map once it is there; undefined when it goes. */
  readonly onMap: (map: FieldMap | undefined) => void;
  /** A field that can be zoomed to. */
  readonly onZoomToField?: (() => void) | undefined;
  /** True where something is to be shown before the base below it, which `showBase` is then called for. */
  readonly isBaseLater?: boolean;
  /** What stands above the map. */
  readonly children?: ComponentChildren;
}

const loadMap = () => loadChunk('fieldMap', () => import('../map/fieldMap.js'));

/** The newest events by the names that the map knows from the start. */
function eventsOf(newest: { readonly current: MapEvents }): MapEvents {
  return {
    onHover: (...told) => newest.current.onHover?.(...told),
    onClick: (...told) => newest.current.onClick?.(...told),
    onOutlineClick: (...told) => newest.current.onOutlineClick?.(...told),
    onEdge: (...told) => newest.current.onEdge?.(...told),
    onEditing: (...told) => newest.current.onEditing?.(...told),
    onMoved: (...told) => newest.current.onMoved?.(...told),
    onReading: (...told) => newest.current.onReading?.(...told),
    onUnreadable: (...told) => newest.current.onUnreadable?.(...told),
  };
}

/** A map's canvases are as wide as the window: on paper stands a picture of it, on light ground. */
function usePrinted(map: FieldMap | undefined): RefObject<HTMLDivElement | null> {
  const printed = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (map === undefined) return undefined;
    const before = (): void => {
      map.setTheme('light');
      printed.current?.replaceChildren(map.picture().canvas);
    };
    const after = (): void => {
      map.setTheme(theme.value);
      printed.current?.replaceChildren();
    };
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, [map]);
  return printed;
}

/** A map with its buttons; the rest of it is loaded with the first one that is shown. */
export function MapPane({
  label,
  events,
  onMap,
  onZoomToField,
  isBaseLater = false,
  children,
}: MapPaneProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const newest = useRef(events);
  newest.current = events;
  const [map, setMap] = useState<FieldMap>();
  const [error, setError] = useState<unknown>();
  const [tilesFault, setTilesFault] = useState<string | null>(null);
  useEffect(() => {
    const made: { map?: FieldMap; isGone?: true } = {};
    const make = async (): Promise<void> => {
      const [{ createFieldMap }, { tiles, tilesFault: fault }] = await Promise.all([loadMap(), pageSettings()]);
      if (made.isGone === true || element.current === null) return;
      made.map = createFieldMap(element.current, {
        ...eventsOf(newest),
        fetchPicture,
        addressOf,
        tiles,
        theme: theme.value,
        label,
      });
      if (!isBaseLater) made.map.showBase();
      setTilesFault(fault);
      setMap(made.map);
      onMap(made.map);
    };
    make().catch(setError);
    return () => {
      made.isGone = true;
      onMap(undefined);
      made.map?.destroy();
    };
    // The map is made once: events are read anew each time, and a label doesn't change.
  }, []);
  const shown = theme.value;
  useEffect(() => {
    map?.setTheme(shown);
  }, [map, shown]);
  const printed = usePrinted(map);
  return (
    <div class="map-pane">
      <div class="map" ref={element} />
      <div class="map-printed" ref={printed} />
      {error === undefined ? null : (
        <div class="map-fault">
          <Unloaded error={error} />
        </div>
      )}
      {tilesFault === null ? null : <p class="map-tiles-fault">{tilesFault}</p>}
      <div class="map-buttons">
        <MapButton name="Zoom in" icon="plus" onPress={() => map?.zoomBy(1)} />
        <MapButton name="Zoom out" icon="minus" onPress={() => map?.zoomBy(-1)} />
        {onZoomToField === undefined ? null : <MapButton name="Zoom to field" icon="target" onPress={onZoomToField} />}
        <MapButton name="Show all" icon="fit" onPress={() => map?.fit()} />
      </div>
      {children}
    </div>
  );
}

const MapButton = ({
  name,
  icon,
  onPress,
}: {
  readonly name: string;
  readonly icon: 'plus' | 'minus' | 'fit' | 'target';
  readonly onPress: () => void;
}): JSX.Element => (
  <button type="button" class="plain" aria-label={name} title={name} onClick={onPress}>
    <Icon name={icon} />
  </button>
);
