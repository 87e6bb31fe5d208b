import { useEffect, useState } from 'preact/hooks';
import { partsOf, type MultiPolygon, type Point, type Polygon } from '../../../shared/geo/shapes/geoJson.js';
import type { EdgeEditing, FieldMap } from '../../map/mapScene.js';
import type { EdgeToolsProps } from '../boundary/edgeTools.js';
import { useEdge } from '../boundary/useEdge.js';

/** The outline of a field while it is edited on the map. */
export interface OutlineEdit {
  /** Id of the field whose outline is edited. */
  readonly fieldId: string | undefined;
  /** As it is now. */
  readonly outline: Polygon | undefined;
  readonly tools: EdgeToolsProps;
  readonly begin: (fieldId: string, outline: Polygon) => void;
  readonly end: () => void;
}

/** The one polygon of a field; an outline of several parts, or a point, is not edited. */
export function polygonOf(geometry: Point | Polygon | MultiPolygon | undefined): Polygon | undefined {
  if (geometry === undefined || geometry.type === 'Point') return undefined;
  const [coordinates, ...others] = partsOf(geometry);
  return coordinates === undefined || others.length > 0 ? undefined : { type: 'Polygon', coordinates };
}

/** Edits the outline of one field at a time. @param shown id of the field that is shown: another one ends the edit */
export function useOutlineEdit(
  map: FieldMap | undefined,
  shown: string,
): OutlineEdit & {
  readonly onEdge: (outline: Polygon) => void;
  readonly onEditing: (editing: EdgeEditing | undefined) => void;
} {
  const [edited, setEdited] = useState<{ readonly fieldId: string; readonly outline: Polygon }>();
  const edge = useEdge(map);
  const fieldId = edited?.fieldId === shown ? edited.fieldId : undefined;
  useEffect(() => {
    map?.editEdge(fieldId === undefined ? undefined : edited?.outline);
    // The edge that is dragged is the map's own until it is let go.
  }, [map, fieldId]);
  return {
    fieldId,
    outline: edited?.outline,
    ...edge,
    begin: (id, outline) => {
      setEdited({ fieldId: id, outline });
    },
    end: () => {
      setEdited(undefined);
    },
    onEdge: (outline) => {
      setEdited((last) => last && { ...last, outline });
    },
  };
}
