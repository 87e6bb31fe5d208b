/** One choice of a header such as `Accept`, and how much it is wanted: 0 (not at all) to 1. */
export interface Preference {
  /** In small letters, without parameters. */
  readonly value: string;
  readonly quality: number;
}

/**
 * The choices of a header in their order; a quality that is no number makes a choice that is not wanted.
 *
 * @see RFC 9110, section 12.4.2
 */
export const preferencesOf = (header: string): readonly Preference[] => header.split(',').map(preferenceOf);

function preferenceOf(text: string): Preference {
  const [value = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const number = quality === undefined ? 1 : Number(quality.slice(2));
  return { value, quality: Number.isFinite(number) ? number : 0 };
}
