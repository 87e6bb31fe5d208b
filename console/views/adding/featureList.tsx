import type { JSX } from 'preact';
import { Icon } from '../../parts/icons.js';
import type { Position } from '../../../shared/geo/geoJson.js';
import type { ReadFeature } from './readFeatures.js';
import type { FieldFault } from './submissionFaults.js';
import type { Submission } from './useSubmission.js';

interface FeatureListProps {
  readonly features: readonly ReadFeature[];
  readonly submission: Submission;
  /** Index of the feature that was clicked on the map. */
  readonly marked: number | undefined;
  readonly onShow: (feature: number, place: Position | undefined) => void;
}

const nameOf = ({ fieldId }: ReadFeature, index: number): string => fieldId ?? `Feature ${index + 1}`;

const Row = ({
  feature,
  index,
  areaHa,
  faults,
  isMarked,
  onShow,
}: {
  readonly feature: ReadFeature;
  readonly index: number;
  readonly areaHa: number | undefined;
  readonly faults: readonly FieldFault[];
  readonly isMarked: boolean;
  readonly onShow: FeatureListProps['onShow'];
}): JSX.Element => (
  <li class={isMarked ? 'feature feature-on' : 'feature'}>
    <button
      type="button"
      class="feature-name"
      disabled={feature.geometry === undefined}
      onClick={() => {
        onShow(index, faults[0]?.place);
      }}
    >
      <span class={`feature-sign ${faults.length > 0 ? 'feature-bad' : ''}`}>
        {faults.length > 0 ? <Icon name="warning" /> : <Icon name="check" />}
      </span>
      <span class="grow">{nameOf(feature, index)}</span>
      <span class="quiet figure">{areaHa === undefined ? '' : `${areaHa.toFixed(areaHa < 10 ? 2 : 1)} ha`}</span>
    </button>
    {faults.map(({ code, message }) => (
      <p key={`${code}${message}`} class="feature-fault">
        {message} <code>{code}</code>
      </p>
    ))}
  </li>
);

/** The fields of a file, each with what is wrong with it; those with faults first. */
export function FeatureList({ features, submission, marked, onShow }: FeatureListProps): JSX.Element {
  const { kept, faults, areas } = submission;
  const rows = kept.flatMap((index) => {
    const feature = features[index];
    if (feature === undefined) return [];
    return [{ index, feature, faults: faults.fields.filter((fault) => fault.feature === index) }];
  });
  const sorted = rows.toSorted((a, b) => Number(b.faults.length > 0) - Number(a.faults.length > 0));
  const unseen = kept.length - rows.length;
  return (
    <>
      <ul class="features" aria-label="Fields of the file">
        {sorted.map((row) => (
          <Row key={row.index} {...row} areaHa={areas.get(row.index)} isMarked={row.index === marked} onShow={onShow} />
        ))}
      </ul>
      {unseen > 0 ? <p class="quiet">and {unseen} more, which are not shown</p> : null}
    </>
  );
}
