import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ListedField } from '../../api/fields.js';
import { dayText } from '../../parts/dateText.js';
import { enrollmentNames, loadEnrollmentNames } from './enrollmentNames.js';
import { groupsOf, type FieldsFilter } from './fieldsFilter.js';

interface FilterChoicesProps {
  readonly all: readonly ListedField[];
  readonly filter: FieldsFilter;
  readonly onFilter: (filter: FieldsFilter) => void;
}

interface Choice {
  readonly value: string;
  readonly name: string;
}

interface FilterChoiceProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
  readonly everything: string;
  readonly onChosen: (value: string | undefined) => void;
}

/** A choice of one kind of fields, or all; nothing where there is no other kind. */
function FilterChoice({ label, choices, chosen, everything, onChosen }: FilterChoiceProps): JSX.Element | null {
  if (choices.length < 2 && chosen === undefined) return null;
  // A value may be any text, the empty one as well: choices are told apart by where they stand.
  return (
    <label>
      <span class="hidden">{label}</span>
      <select
        value={choices.findIndex(({ value }) => value === chosen)}
        onChange={({ currentTarget }) => {
          onChosen(choices[Number(currentTarget.value)]?.value);
        }}
      >
        <option value={-1}>{everything}</option>
        {choices.map(({ value, name }, index) => (
          <option key={value} value={index}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The choices, with what is chosen though no field has it. */
const withChosen = (choices: readonly Choice[], chosen: string | undefined, name: string): readonly Choice[] =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, name }];

/** The enrollments that monitor these fields, the newest first as far as they are known. */
function useEnrollmentChoices(all: readonly ListedField[], chosen: string | undefined): readonly Choice[] {
  const periods = useMemo(
    () =>
      new Map(
        all.flatMap(({ enrollments }) =>
          enrollments.map(({ enrollment_id: id, start_date: start, end_date: end }) => [id, { start, end }]),
        ),
      ),
    [all],
  );
  const names = enrollmentNames.value;
  const ids = [...periods.keys(), ...(chosen === undefined ? [] : [chosen])];
  const missing = periods.size < 2 ? '' : ids.filter((id) => !names.has(id)).join(' ');
  useEffect(() => {
    if (missing === '') return undefined;
    const ended = new AbortController();
    void loadEnrollmentNames(missing.split(' '), ended.signal);
    return () => {
      ended.abort();
    };
  }, [missing]);
  const known = [...names].filter(([id]) => periods.has(id)).map(([value, name]) => ({ value, name }));
  const others = [...periods]
    .filter(([id]) => !names.has(id))
    .map(([value, { start, end }]) => ({ value, name: `${dayText(start)} to ${dayText(end)}` }));
  return withChosen([...known, ...others], chosen, (chosen && names.get(chosen)) ?? 'An enrollment of none of them');
}

/** Which fields are shown, by group and by enrollment, where there are several. */
export function FilterChoices({ all, filter, onFilter }: FilterChoicesProps): JSX.Element | null {
  const { group, enrollment } = filter;
  const groups = useMemo(() => groupsOf(all), [all]).map(([value, count]) => ({
    value,
    name: `${value === '' ? 'Without a group' : value} (${count})`,
  }));
  const enrollments = useEnrollmentChoices(all, enrollment);
  return (
    <div class="list-filter">
      <FilterChoice
        label="Group"
        choices={withChosen(groups, group, group === '' ? 'Without a group (0)' : `${group ?? ''} (0)`)}
        chosen={group}
        everything="All groups"
        onChosen={(chosen) => {
          onFilter({ ...filter, group: chosen });
        }}
      />
      <FilterChoice
        label="Enrollment"
        choices={enrollments}
        chosen={enrollment}
        everything="All enrollments"
        onChosen={(chosen) => {
          onFilter({ ...filter, enrollment: chosen });
        }}
      />
    </div>
  );
}
