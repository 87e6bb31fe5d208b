import type { JSX } from 'preact';
import type { Submission } from './useSubmission.js';

interface PropertyChoiceProps {
  readonly text: string;
  readonly properties: readonly string[];
  readonly chosen: string | undefined;
  /** What stands for no property, where that may be chosen. */
  readonly none?: string;
  readonly onChosen: (property: string | undefined) => void;
}

function PropertyChoice({ text, properties, chosen, none, onChosen }: PropertyChoiceProps): JSX.Element {
  // A property may have any name: they are told apart by where they stand.
  const at = chosen === undefined ? -1 : properties.indexOf(chosen);
  return (
    <label>
      <span>{text}</span>
      <select
        value={at}
        onChange={({ currentTarget }) => {
          onChosen(properties[Number(currentTarget.value)]);
        }}
      >
        {none === undefined ? null : <option value={-1}>{none}</option>}
        {properties.map((property, index) => (
          <option key={property} value={index}>
            {property}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Which properties of the file are name and group of its fields, where there is a choice. */
export function PropertyChoices({
  submission: { file, readBy },
}: {
  readonly submission: Submission;
}): JSX.Element | null {
  if (file === undefined || file.read.fault !== undefined) return null;
  const { properties, nameBy, groupBy } = file.read;
  if (properties.length < 2) return null;
  return (
    <>
      <PropertyChoice
        text="The name of a field is in"
        properties={properties}
        chosen={nameBy}
        onChosen={(chosen) => {
          if (chosen !== undefined) readBy({ nameBy: chosen });
        }}
      />
      <PropertyChoice
        text="Its group, such as farm or client, is in"
        properties={properties}
        chosen={groupBy}
        none="No property: no groups"
        onChosen={(chosen) => {
          readBy({ groupBy: chosen });
        }}
      />
    </>
  );
}
