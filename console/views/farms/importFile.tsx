import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hasImportEnded, type FarmImport } from '../../api/farmImport.js';
import { DropZone } from '../../parts/dropZone.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { Retry } from '../../parts/retry.js';
import { Fault } from '../../parts/fault.js';
import { Steps } from '../../parts/steps.js';
import { faultName, importOutcome, importSteps } from './importWords.js';
import { useImport } from './useImport.js';

interface ImportFileProps {
  readonly shown: PickedLand;
  readonly onImported: () => void;
}

/** A file of fields is dropped or chosen and becomes fields of the farm that is shown, or of the party. */
export function ImportFile({ shown: { partyId, farmId }, onImported }: ImportFileProps): JSX.Element {
  const [mode, setMode] = useState<'merge' | 'replace'>('merge');
  const { send, again, ...run } = useImport(onImported);
  const { state, error, fileName, isBusy } = run;
  return (
    <div class="stack import">
      <DropZone
        text={fileName === undefined ? 'Drop a file of fields here, or choose one' : `${fileName} · choose another`}
        accept=".geojson,.json,.kml,.kmz,.zip,application/geo+json,application/zip"
        onFile={(file) => {
          if (!isBusy) send({ partyId, farmId, mode }, file);
        }}
      />
      <p class="quiet">
        GeoJSON in WGS 84, KML, KMZ, or a zip file with one shapefile; at most 50 MB.{' '}
        {farmId === ''
          ? 'The fields go to no farm: choose one above first if they should.'
          : 'The fields go to the farm above.'}
      </p>
      <label>
        <span>Fields that are here already</span>
        <select
          value={mode}
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            setMode(currentTarget.value === 'replace' ? 'replace' : 'merge');
          }}
        >
          <option value="merge">keep what the file does not say</option>
          <option value="replace">become what the file says</option>
        </select>
      </label>
      {fileName === undefined ? null : <Steps steps={importSteps(run)} />}
      {error === undefined ? null : <Retry title="Not imported" error={error} again={again} />}
      {state === undefined ? null : <Progress state={state} />}
    </div>
  );
}

/** How far it is, how it ended, and what is wrong with which feature. */
function Progress({ state }: { readonly state: FarmImport }): JSX.Element {
  const { total, written, failed, errors, status, message } = state;
  return (
    <>
      {total === 0 || hasImportEnded(state) ? null : (
        <progress value={written + failed} max={Math.max(1, total)} aria-label="Fields of the file" />
      )}
      {status === 'Failed' ? (
        <Fault title="The import failed" error={new Error(message ?? 'Nothing more of it is written.')} />
      ) : null}
      <p role="status">{status === 'Succeeded' ? importOutcome(state) : ''}</p>
      {errors.length === 0 ? null : (
        <ul class="features import-faults" aria-label="Features that were not imported" tabIndex={0}>
          {errors.map((fault) => (
            <li key={`${fault.index} ${fault.code}`} class="feature">
              <b>{faultName(fault)}</b>
              <p>
                {fault.message} <code>{fault.code}</code>
              </p>
            </li>
          ))}
        </ul>
      )}
      {failed > errors.length ? <p class="quiet">and {failed - errors.length} more, which are not listed</p> : null}
    </>
  );
}
