import { useState } from 'preact/hooks';
import type { EdgeEditing, FieldMap } from '../../map/mapScene.js';
import type { EdgeToolsProps } from './edgeTools.js';

/** The edge that is drawn or adjusted on a map, for the tools beside it. */
export function useEdge(map: FieldMap | undefined): {
  readonly tools: EdgeToolsProps;
  readonly onEditing: (editing: EdgeEditing | undefined) => void;
} {
  const [editing, onEditing] = useState<EdgeEditing>();
  return { tools: { editing, onAct: (action) => map?.actOnEdge(action) }, onEditing };
}
