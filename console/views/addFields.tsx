import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/errors.js';
import type { Polygon } from '../../shared/geo/shapes/geoJson.js';
import type { FieldMap } from '../map/mapScene.js';
import { useSecondsLeft } from '../parts/countdown.js';
import { DropZone } from '../parts/dropZone.js';
import { Fault } from '../parts/fault.js';
import { GoToPlace } from '../parts/goToPlace.js';
import { MapPane } from '../parts/mapPane.js';
import { useNewestScene } from '../parts/newestScene.js';
import { plainWords } from '../parts/plainWords.js';
import { go, hrefOf } from '../router.js';
import { namesOf } from './adding/checkSubmission.js';
import { DrawField } from './adding/drawField.js';
import { FeatureList } from './adding/featureList.js';
import { soundNames } from './adding/fieldNames.js';
import { PropertyChoices } from './adding/propertyChoices.js';
import { useSubmission, type Submission } from './adding/useSubmission.js';
import { WantedForm } from './adding/wantedForm.js';
import { useEdge } from './boundary/useEdge.js';

const featuresOf = ({ file }: Submission) =>
  file === undefined || file.read.fault !== undefined ? [] : file.read.features;

const fields = (count: number): string => `${count} field${count === 1 ? '' : 's'}`;

/** What the service said to the submission as a whole, with the time after which it may be repeated. */
function SubmissionFault({ submission }: { readonly submission: Submission }): JSX.Element | null {
  const { error, faults } = submission;
  const [until, setUntil] = useState(0);
  const left = useSecondsLeft(until);
  useEffect(() => {
    const seconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
    setUntil(Date.now() + seconds * 1000);
  }, [error]);
  const canRepeat = error instanceof ApiError && [0, 429, 503].includes(error.status);
  return (
    <>
      {faults.file.map((text) => (
        <p key={text} class="fault" role="alert">
          {plainWords(text)}
        </p>
      ))}
      {error === undefined ? null : (
        <Fault error={error}>
          {canRepeat ? (
            <button type="button" class="small" disabled={left > 0} onClick={submission.check}>
              {left > 0 ? `Try again in ${left} s` : 'Try again'}
            </button>
          ) : null}
        </Fault>
      )}
    </>
  );
}

/** What can be done with the fields now. */
function Actions({ submission }: { readonly submission: Submission }): JSX.Element | null {
  const { state, kept, faults, file, enrollments } = submission;
  if (file === undefined) return null;
  const left = featuresOf(submission).length - kept.length;
  const faulty = [...new Set(faults.fields.map(({ feature }) => feature))];
  const enrol = async (): Promise<void> => {
    const ids = await submission.send();
    if (ids.length > 0) go(ids.length === 1 ? hrefOf('enrollments', ...ids) : hrefOf('enrollments'));
  };
  const texts: Partial<Record<Submission['state'], string>> = { checking: 'Checking …', sending: 'Enrolling …' };
  return (
    <div class="stack">
      {faulty.length > 0 && faulty.length < kept.length ? (
        <button
          type="button"
          onClick={() => {
            submission.leaveOut(faulty);
          }}
        >
          Leave out {fields(faulty.length)} with faults
        </button>
      ) : null}
      {left > 0 ? (
        <button type="button" onClick={submission.keepAll}>
          Take back {fields(left)} left out
        </button>
      ) : null}
      {enrollments > 1 ? (
        <p class="quiet">These become {enrollments} enrollments: the service takes so many fields in one.</p>
      ) : null}
      <button
        type="button"
        class="first"
        disabled={state !== 'sound' || kept.length === 0}
        onClick={() => void enrol()}
      >
        {texts[state] ?? `Enrol ${fields(kept.length)}`}
      </button>
    </div>
  );
}

/** What the check has found, told to screen readers as well. */
function Verdict({ submission }: { readonly submission: Submission }): JSX.Element {
  const { state, faults, kept } = submission;
  const faulty = new Set(faults.fields.map(({ feature }) => feature)).size;
  const texts: Partial<Record<Submission['state'], string>> = {
    reading: 'Reading the file …',
    checking: `Checking ${fields(kept.length)} …`,
    sound: `${fields(kept.length)} without a fault`,
    faulty: faulty === 0 ? '' : `${faulty} of ${fields(kept.length)} with a fault`,
  };
  return (
    <p class="quiet" role="status">
      {texts[state] ?? ''}
    </p>
  );
}

/** Fields to be enrolled, in outlines, and their faults where they are. */
function useOutlines(map: FieldMap | undefined, submission: Submission): void {
  const { file, kept, faults, typed } = submission;
  useEffect(() => {
    const faulty = new Set(faults.fields.map(({ feature }) => feature));
    const features = featuresOf(submission);
    const outlines = kept.flatMap((index) => {
      const { geometry, fieldId = '' } = features[index] ?? {};
      if (geometry === undefined) return [];
      const kind = faulty.has(index) ? ('fault' as const) : ('draft' as const);
      return [{ id: String(index), geometry, kind, label: typed.get(index) ?? fieldId }];
    });
    map?.setOutlines(outlines);
    map?.setMarks(
      faults.fields.flatMap(({ place }) => (place === undefined ? [] : [{ place, kind: 'fault' as const }])),
    );
  }, [map, file, kept, faults, typed]);
  useEffect(() => {
    map?.fitOutlines();
  }, [map, file]);
}

/** Names that are shown of those that are changed together. */
const NAMES_SHOWN = 3;

/** Has all names that can't be taken changed at once, and says what they become. */
function SoundNames({ submission }: { readonly submission: Submission }): JSX.Element | null {
  const { file, kept, typed } = submission;
  if (file === undefined) return null;
  const names = namesOf(file, kept, typed);
  const sound = soundNames(names);
  if (sound.size === 0) return null;
  return (
    <div class="note stack">
      <p>
        {sound.size === 1 ? 'A name holds' : `${sound.size} names hold`} characters that can’t be taken.{' '}
        {sound.size === 1 ? 'It becomes' : 'They become'}:
      </p>
      <ul>
        {[...sound].slice(0, NAMES_SHOWN).map(([index, name]) => (
          <li key={index}>
            {names.get(index)} → <b>{name}</b>
          </li>
        ))}
        {sound.size > NAMES_SHOWN ? <li>and {sound.size - NAMES_SHOWN} more</li> : null}
      </ul>
      <div class="row">
        <button
          type="button"
          class="small"
          onClick={() => {
            submission.rename(sound);
          }}
        >
          Replace them in all names
        </button>
      </div>
    </div>
  );
}

/** Add fields: a file is dropped or chosen, its faults are shown where they are, and what is sound is enrolled. */
export function AddFields(): JSX.Element {
  const [map, setMap] = useState<FieldMap>();
  const [marked, setMarked] = useState<number>();
  const [outline, setOutline] = useState<Polygon>();
  const edge = useEdge(map);
  const submission = useSubmission();
  const { file } = submission;
  const features = featuresOf(submission);
  useOutlines(map, submission);
  const newest = useNewestScene(map, edge.tools.editing !== undefined);
  useEffect(() => {
    map?.setGround(newest.scene);
  }, [map, newest.scene]);
  return (
    <section class="split-view">
      <div class="split-panel">
        <h1>Add fields</h1>
        <DropZone
          text={file === undefined ? 'Drop a file of fields here, or choose one' : `${file.name} · choose another`}
          accept=".geojson,.json,.kml,.kmz,.zip,application/geo+json,application/json"
          onFile={submission.choose}
        />
        {file === undefined ? (
          <p class="quiet">
            GeoJSON, KML, KMZ, or a zip file with one shapefile (.shp, .dbf, .prj, .cpg): polygons, each with its name;
            at most 50 MB. No outlines yet? <a href={hrefOf('boundary')}>Find the boundary of a field</a>, or draw it.
          </p>
        ) : null}
        <GoToPlace map={map} />
        <DrawField
          edge={edge.tools}
          outline={outline}
          ground={newest.text}
          isReady={map !== undefined}
          onDraw={(isOn) => map?.drawEdge(isOn)}
          onDrawn={(field) => {
            map?.drawEdge(false);
            submission.join(field);
          }}
        />
        <SubmissionFault submission={submission} />
        <Verdict submission={submission} />
        {file?.read.fault === undefined && file?.read.note !== undefined ? <p class="quiet">{file.read.note}</p> : null}
        <PropertyChoices submission={submission} />
        <SoundNames submission={submission} />
        {features.length === 0 ? null : (
          <FeatureList
            features={features}
            submission={submission}
            marked={marked}
            onShow={(feature, place) => {
              setMarked(feature);
              map?.fitOutlines(String(feature));
              if (place !== undefined) map?.goTo(place);
            }}
          />
        )}
        {file === undefined ? null : <WantedForm submission={submission} />}
        <Actions submission={submission} />
      </div>
      <MapPane
        label="Map of the fields to be added"
        onMap={setMap}
        events={{
          onOutlineClick: (id) => {
            setMarked(Number(id));
          },
          onEdge: setOutline,
          onEditing: edge.onEditing,
          onMoved: newest.onMoved,
        }}
      />
    </section>
  );
}
