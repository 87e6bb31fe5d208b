import type { JSX } from 'preact';
import { Fault } from '../parts/fault.js';
import { hrefOf, place } from '../router.js';
import { useMemo } from 'preact/hooks';
import { filtered, filterOf, filterParts, type FieldsFilter } from './fields/fieldsFilter.js';
import { FieldsOnMap } from './fields/fieldsOnMap.js';
import { areArriving, days as daysSignal, fields as fieldsSignal, listError } from './fields/fieldsStore.js';
import { selectionOf } from './fields/selection.js';
import { useFields } from './fields/useFields.js';

/** The fields: list, map, layers, and their days. */
export function Fields(): JSX.Element {
  const fields = fieldsSignal.value;
  const selection = selectionOf(place.value, fields ?? [], daysSignal.value);
  useFields(() => selectionOf(place.value, fieldsSignal.value ?? [], daysSignal.value).field?.field_id);
  const filter = useSameFilter();
  const shown = useMemo(() => filtered(fields ?? [], filter), [fields, filter]);
  if (fields === undefined) return <Loading />;
  if (fields.length === 0) return <NoFields />;
  return <FieldsOnMap all={fields} fields={shown} filter={filter} selection={selection} />;
}

/** The filter of the address; the same object while it says the same. */
function useSameFilter(): FieldsFilter {
  const filter = filterOf(place.value.parts);
  return useMemo(() => filter, [filterParts(filter).join('/')]);
}

function Loading(): JSX.Element {
  const error = listError.value;
  return (
    <section class="fields" aria-busy="true">
      <h1 class="hidden">Fields</h1>
      <aside class="field-list" aria-label="Fields">
        {error === undefined ? (
          <ul class="field-rows field-rows-grey" aria-hidden="true">
            {Array.from({ length: 8 }, (_, row) => (
              <li key={row} />
            ))}
          </ul>
        ) : (
          <Fault title="The fields could not be listed" error={error} />
        )}
      </aside>
      <div class="fields-map" />
    </section>
  );
}

const NoFields = (): JSX.Element => (
  <section class="page no-fields">
    <svg viewBox="0 0 120 80" width="180" height="120" aria-hidden="true" focusable="false">
      <path d="M14 54 34 18 78 12 106 34 92 66 40 72Z" />
      <path d="M34 18 60 44 92 66M60 44 106 34" />
    </svg>
    <h1>{areArriving.value ? 'Your fields are on their way' : 'No fields yet'}</h1>
    <p class="quiet" role="status">
      {areArriving.value
        ? 'Their boundaries are being checked: seconds. Their first pictures come within a minute.'
        : 'Add the boundaries of your fields; their first pictures come within minutes.'}
    </p>
    <div class="row">
      <a class="button first" href={hrefOf('add')}>
        Add fields
      </a>
      <a class="button" href={hrefOf('boundary')}>
        Find a boundary
      </a>
    </div>
  </section>
);
