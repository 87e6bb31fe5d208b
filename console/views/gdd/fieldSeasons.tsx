import type { JSX } from 'preact';
import { listSeasonsOf, type FieldInsight } from '../../api/farm.js';
import { ApiError } from '../../api/errors.js';
import { useFarmAccess } from '../../parts/farmAccess.js';
import { Retry } from '../../parts/retry.js';
import { dayText } from '../../parts/dateText.js';
import { useLoaded } from '../../parts/useLoaded.js';
import { hrefOf, place } from '../../router.js';
import { cropName, wholeText } from './season.js';

/** The newest ones. */
const SHOWN = 8;

interface FieldSeasonsProps {
  readonly partyId: string;
  readonly fieldId: string;
  /** Told when a season has ended, for a newer list. */
  readonly ended: string | undefined;
}

/** What was calculated before for the chosen field of the tenant's own data. */
export function FieldSeasons(props: FieldSeasonsProps): JSX.Element | null {
  const isOwn = useFarmAccess().state === 'own';
  const { partyId, fieldId, ended } = props;
  const key = isOwn && partyId !== '' && fieldId !== '' ? JSON.stringify([partyId, fieldId, ended]) : undefined;
  const { value = [], error, again } = useLoaded(key, (signal) => listSeasonsOf({ partyId, fieldId }, signal));
  // A field of the map is no field of the farm before its first season.
  if (error instanceof ApiError && error.status === 404) return null;
  if (error !== undefined)
    return <Retry title="The seasons of the field could not be listed" error={error} again={again} />;
  if (value.length === 0) return null;
  return (
    <section class="recent">
      <h2>Seasons of this field</h2>
      <ul>
        {value.slice(0, SHOWN).map((insight) => (
          <Season key={insight.id} insight={insight} />
        ))}
      </ul>
      {value.length > SHOWN ? <p class="quiet">and {value.length - SHOWN} older ones</p> : null}
    </section>
  );
}

/** One season; the job that has calculated it opens it again. */
function Season({ insight }: { readonly insight: FieldInsight }): JSX.Element {
  const { properties = {}, measurements, insightStartDateTime: from, insightEndDateTime: to } = insight;
  const { gdd } = measurements;
  const jobId = String(properties['jobId'] ?? '');
  return (
    <li>
      <a href={hrefOf('degree-days', jobId)} aria-current={place.value.parts[0] === jobId ? 'true' : undefined}>
        <b>{cropName(String(properties['crop'] ?? 'Season'))}</b>
        <small class="figure">
          {dayText(from.slice(0, 10))} to {dayText(to.slice(0, 10))}
          {gdd === undefined ? '' : ` · ${wholeText(gdd.value)} °${gdd.unit ?? ''}·day`}
        </small>
      </a>
    </li>
  );
}
