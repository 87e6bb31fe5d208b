// A variable of an environment that was set when it was deployed last and is not set any more has been forgotten: without
// PUBLIC_URL there are no webhooks, without OPERATOR_GROUP_ID no operators, and nothing else would say so.

/** What a variable is set to that is to be empty from now on: GitHub keeps no empty ones. */
export const none = 'none';

/** Given by the pipeline itself or for one deployment, so no environment has them. */
export const passing = ['ENVIRONMENT', 'BUILD_COMMIT', 'VAULT_CREATE_MODE', 'AZURE_LOCATION', 'AZURE_PRINCIPAL_ID'];

/** Values inside of parameters, each with its name as a variable would have it. */
function* leavesOf(value, name = '') {
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isGroup) return void (yield { name, value });
  for (const [key, inner] of Object.entries(value)) {
    yield* leavesOf(inner, key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  }
}

const valuesIn = (parameters) =>
  Object.entries(parameters).flatMap(([key, { value }]) => [...leavesOf({ [key]: value })]);

/** The value that a variable gives: `ALERT_EMAILS` is what `alertTargets.emails` says. */
export const valueOf = (values, variable) => values.find(({ name }) => `_${variable}`.endsWith(`_${name}`))?.value;

const isEmpty = (value) => value === undefined || value === '' || value === false || value?.length === 0;

/**
 * @param before parameters of the last deployment
 * @param now parameters of the next one
 * @param given the variables of the environment
 * @throws Error that names every variable that was set then and is not now
 */
export function requireRemembered(before, now, { given, names }) {
  const [old, next] = [valuesIn(before), valuesIn(now)];
  const forgotten = names.filter((name) => {
    if (given[name] || passing.includes(name)) return false;
    const value = valueOf(old, name);
    return !isEmpty(value) && JSON.stringify(value) !== JSON.stringify(valueOf(next, name));
  });
  if (forgotten.length === 0) return;
  throw new Error(
    `Variables of the environment were set and are not any more: ${forgotten.join(', ')}. Set them again, or to ${none}.`,
  );
}
