import { ConfigError, settings } from '../../shared/wiring/settings/config.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Settings of the service that a command of operators needs too.
 *
 * @returns gives the text of each
 * @throws ConfigError that names all that are missing
 */
export function neededSettings<Name extends keyof typeof settings>(
  environment: Variables,
  needed: readonly Name[],
): (name: Name) => string {
  const valueOf = (name: Name): string => environment[name] ?? '';
  const missing = needed.filter((name) => valueOf(name) === '');
  if (missing.length > 0) throw new ConfigError(missing.map((name) => `${name} is missing. ${settings[name].meaning}`));
  return valueOf;
}
