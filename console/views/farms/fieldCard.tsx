import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { readFarmField, type FarmFieldRecord } from '../../api/farm.js';
import { dayText } from '../../parts/dateText.js';
import type { LandField } from '../../parts/farmLand.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { Retry } from '../../parts/retry.js';
import { useLoaded } from '../../parts/useLoaded.js';
import { farmHref, go, hrefOf } from '../../router.js';
import { handedOver } from '../handOver.js';

interface FieldCardProps {
  readonly field: LandField;
  readonly shown: PickedLand;
}

/** What is known of the chosen field, and where one goes with it. */
export function FieldCard({ field: { id, name, farmId }, shown: { partyId } }: FieldCardProps): JSX.Element {
  const { value, error, again } = useLoaded(JSON.stringify([partyId, id]), (signal) =>
    readFarmField(partyId, id, signal),
  );
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It may have been chosen on the map.
    card.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const picked = { partyId, farmId: farmId ?? '', fieldId: id };
  const geometry = value?.geometry;
  return (
    <div class="land-card" ref={card}>
      {error === undefined ? null : <Retry title="The field could not be read" error={error} again={again} />}
      <p class="quiet">{value === undefined ? '' : historyText(value)}</p>
      <div class="row">
        <a class="button" href={farmHref('degree-days', picked)}>
          Degree-days
        </a>
        <a class="button" href={farmHref('boundary', picked)}>
          Boundary
        </a>
        {geometry === undefined || geometry.type === 'Point' ? null : (
          <button
            type="button"
            onClick={() => {
              handedOver.value = { fieldId: name, geometry };
              go(hrefOf('add'));
            }}
          >
            Enrol
          </button>
        )}
      </div>
    </div>
  );
}

/** Where it comes from and since when it is as it is. */
const historyText = ({ source, modifiedDateTime }: FarmFieldRecord): string =>
  `${source === undefined ? '' : `${source} · `}changed on ${dayText(modifiedDateTime.slice(0, 10))}`;
