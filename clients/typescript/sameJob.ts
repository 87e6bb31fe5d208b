/** What a service takes for granted where a request says nothing. */
const DEFAULTS = { temperatureUnit: 'C', startEvent: 'PLANTING' };

/** A value by its meaning: texts in either case, members in any order, null as absent. */
function meaningOf(value: unknown): unknown {
  if (typeof value === 'string') return value.toUpperCase();
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return members.map(([name, member]): [string, unknown] => [name, meaningOf(member)]).sort();
}

/**
 * Whether the parameters that were sent are those of a job, as its `partnerRequestBody` has them: types and units come back
 * in upper case, the unit also when it was left out, and those of imagery in `modelSpec` from some operations.
 */
export function isSameJob(sent: object, echo: object): boolean {
  const textOf = (parameters: object): string => {
    const { modelSpec, ...others } = parameters as { readonly modelSpec?: object };
    const given = Object.entries({ ...others, ...modelSpec }).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    return JSON.stringify(meaningOf({ ...DEFAULTS, ...Object.fromEntries(given) }));
  };
  return textOf(sent) === textOf(echo);
}
