import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { ApiError } from '../api/errors.js';
import type { FieldMap, MapOutline, Readout } from '../map/mapScene.js';
import { Fault } from '../parts/fault.js';
import { GoToPlace } from '../parts/goToPlace.js';
import { MapPane } from '../parts/mapPane.js';
import { useNewestScene } from '../parts/newestScene.js';
import { NotThere } from '../parts/notThere.js';
import { placeText } from '../parts/placeText.js';
import { farmPlaceOf, hrefOf, place as address } from '../router.js';
import { credentials } from '../session/session.js';
import type { Candidate } from './boundary/boundarySearch.js';
import { FoundPanel } from './boundary/foundPanel.js';
import { SearchForm } from './boundary/searchForm.js';
import { SearchSteps } from './boundary/searchSteps.js';
import { adjustBoundary, askBoundary, beginBoundary, boundarySearch, change } from './boundary/boundaryStore.js';
import { ownPictureOf, useGround } from './boundary/useGround.js';
import { useEdge } from './boundary/useEdge.js';
import { useLinkedField } from './boundary/useLinkedField.js';
import { useOwnFields } from './fields/useOwnFields.js';

/** The panel covers this much of the map on wide pages, CSS pixels; on narrow ones it lies below, as high as it is. */
const PANEL_WIDTH = 384;
const NARROW = '(width <= 760px)';

function keepBesidePanel(map: FieldMap, panel: HTMLElement | null): void {
  const isNarrow = matchMedia(NARROW).matches;
  map.setPadding(isNarrow ? [0, 0, panel?.clientHeight ?? 0, 0] : [0, 0, 0, PANEL_WIDTH]);
}

/** The readings with the chosen one above them, and above all the one that is pointed at. */
function outlinesOf(
  candidates: readonly Candidate[],
  chosen: string,
  compared: string | undefined,
): readonly MapOutline[] {
  const rank = { alternative: 0, found: 1, compared: 2 } as const;
  return candidates
    .map(({ id, geometry }) => {
      const kind = id === chosen ? 'found' : id === compared ? 'compared' : 'alternative';
      return { id, geometry, kind } as const;
    })
    .sort((a, b) => rank[a.kind] - rank[b.kind]);
}

/** A field that the address names and that can't be shown. */
const LinkFault = ({ error, fieldId }: { readonly error: unknown; readonly fieldId: string }): JSX.Element =>
  error instanceof ApiError && error.status === 404 ? (
    <NotThere>You have no field {fieldId}, or none any more. Choose a place on the map.</NotThere>
  ) : (
    <Fault title="The field of this address could not be read" error={error} />
  );

/** Boundary of a field: a place is clicked or typed, its outline found, adjusted, named and enrolled. */
export function Boundary(): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<FieldMap>();
  const [readout, setReadout] = useState<Readout>();
  const [ownField, setOwnField] = useState<string>();
  const [pointedAt, setPointedAt] = useState<string>();
  const [linked] = useState(() => {
    const land = farmPlaceOf(address.value.parts);
    beginBoundary(land);
    return land;
  });
  const edge = useEdge(map);
  const search = boundarySearch.value;
  const { candidates, chosen, isAdjusting, place } = search;
  const current = candidates.find(({ id }) => id === chosen);
  const compared = pointedAt ?? readout?.outlineId;

  useEffect(() => {
    if (map === undefined) return;
    keepBesidePanel(map, panel.current);
    const { longitude, latitude } = credentials.value?.farm?.point ?? {};
    if (longitude !== undefined && latitude !== undefined) map.goTo([longitude, latitude]);
  }, [map]);
  const linkError = useLinkedField(map, linked, (inside) => {
    // What was asked since stays.
    if (boundarySearch.value.asked === undefined) change({ place: inside });
  });
  const own = useOwnFields(map);
  const ownPicture = ownPictureOf(own.find(({ field_id: id }) => id === ownField));
  const newest = useNewestScene(map, search.found === undefined);
  useGround(map, { ground: search.ground, scene: search.scene ?? newest.scene }, ownPicture);
  useEffect(() => {
    // A place may be asked before the fields have come.
    setOwnField(place === undefined ? undefined : map?.fieldAt(place));
  }, [map, own, place]);
  useEffect(() => {
    map?.setMarks(place === undefined ? [] : [{ place, kind: 'place' }]);
  }, [map, place]);
  useEffect(() => {
    map?.setOutlines(isAdjusting ? [] : outlinesOf(candidates, chosen, compared));
  }, [map, candidates, chosen, compared, isAdjusting]);
  useEffect(() => {
    if (map === undefined || search.found === undefined) return;
    keepBesidePanel(map, panel.current);
    map.fitOutlines();
  }, [map, search.found]);
  useEffect(() => {
    map?.editEdge(isAdjusting ? current?.geometry : undefined);
    // The edge that is dragged is the map's own until it is let go.
  }, [map, isAdjusting]);

  const ask = (asked: Position, isTyped: boolean): void => {
    if (isTyped) map?.goTo(asked);
    askBoundary(asked);
  };
  return (
    <section class="map-view">
      <MapPane
        label="Map: click a field to find its boundary"
        onMap={setMap}
        events={{
          onHover: setReadout,
          onClick: (clicked) => {
            if (!search.isBusy && !isAdjusting) ask(clicked, false);
          },
          onOutlineClick: (id) => {
            change({ chosen: id });
          },
          onEdge: adjustBoundary,
          onEditing: edge.onEditing,
          onMoved: newest.onMoved,
        }}
      >
        {readout === undefined ? null : <p class="map-readout figure">{placeText(readout.place)}</p>}
      </MapPane>
      <div class="map-panel" ref={panel}>
        <h1>Boundary of a field</h1>
        {linkError === undefined ? null : <LinkFault error={linkError} fieldId={linked.fieldId} />}
        <GoToPlace map={map} />
        <SearchForm place={place} search={search} onAsk={ask} />
        {newest.text === undefined ? null : (
          <p class="quiet" role="status">
            {newest.text}
          </p>
        )}
        {ownField === undefined ? null : (
          <p class="note">
            This place lies in your field <a href={hrefOf('fields', ownField)}>{ownField}</a>.
          </p>
        )}
        <SearchSteps search={search} />
        {current === undefined ? null : (
          <FoundPanel
            key={search.job?.id}
            candidate={current}
            search={search}
            edge={edge.tools}
            ownDate={ownPicture?.date}
            compared={compared}
            onCompare={setPointedAt}
          />
        )}
      </div>
    </section>
  );
}
