import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FieldMap } from '../map/mapScene.js';
import type { LandField } from './farmLand.js';
import { MapPane, type MapEvents } from './mapPane.js';

interface LandMapProps {
  readonly label: string;
  readonly fields: readonly LandField[];
  readonly chosen: string;
  readonly onChoose: (fieldId: string) => void;
  /** Given the map, for what else is shown on it. */
  readonly onMap?: (map: FieldMap | undefined) => void;
  readonly events?: MapEvents;
}

/** The fields of a farm in outlines; a click chooses one. Lists beside it do the same without a pointer. */
export function LandMap({ label, fields, chosen, onChoose, onMap, events }: LandMapProps): JSX.Element {
  const [map, setMap] = useState<FieldMap>();
  useEffect(() => {
    map?.setFields(
      fields.flatMap(({ id, name, geometry }) => (geometry === undefined ? [] : [{ id, name, geometry }])),
    );
    map?.fit();
  }, [map, fields]);
  useEffect(() => {
    map?.select(chosen === '' ? undefined : chosen);
    if (chosen !== '') map?.reveal(chosen);
  }, [map, fields, chosen]);
  return (
    <MapPane
      label={label}
      onMap={(made) => {
        setMap(made);
        onMap?.(made);
      }}
      events={{
        ...events,
        onClick: (_place, fieldId) => {
          if (fieldId !== undefined) onChoose(fieldId);
        },
      }}
    />
  );
}
