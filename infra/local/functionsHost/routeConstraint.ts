/** Says whether the text of a route value satisfies an inline constraint. */
export type Constraint = (value: string) => boolean;

const wholeNumberWithin =
  (least: bigint, most: bigint): Constraint =>
  (value) => {
    if (!/^[+-]?\d{1,19}$/.test(value)) return false;
    const number = BigInt(value.replace('+', ''));
    return number >= least && number <= most;
  };

const constraints: Readonly<Record<string, Constraint>> = {
  int: wholeNumberWithin(-(2n ** 31n), 2n ** 31n - 1n),
  long: wholeNumberWithin(-(2n ** 63n), 2n ** 63n - 1n),
  alpha: (value) => /^[a-z]*$/i.test(value),
  bool: (value) => /^(true|false)$/i.test(value),
  guid: (value) => /^(\{)?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}(\})?$/i.test(value),
  required: (value) => value !== '',
};

/** The constraint written as `name` or `regex(pattern)` in a route template; an unknown one stops the start. */
export function constraintOf(text: string): Constraint {
  const pattern = /^regex\((?<pattern>.*)\)$/s.exec(text)?.groups?.['pattern'];
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'i');
    return (value) => expression.test(value);
  }
  const known = constraints[text];
  if (known === undefined) throw new Error(`The local host does not know the route constraint "${text}".`);
  return known;
}
