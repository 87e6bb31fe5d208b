import { createHash } from 'node:crypto';

/** One version of a secret. */
export interface SecretVersion {
  readonly value: string;
  /** True when left out. */
  readonly isEnabled?: boolean;
}

/** A secret: its only value, or its versions, oldest first. */
export type Secret = string | readonly SecretVersion[];

/** Stands for the time a vault was filled; the versions follow one second apart, so that "newest" has a meaning. */
const FIRST_CREATED_SECONDS = 1_767_225_600;

/** A version as the vault tells of it without its value. */
export interface VersionProperties {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly tags: Readonly<Record<string, string>>;
}

/** The versions of a secret, oldest first. */
export function versionsOf(secret: Secret): readonly SecretVersion[] {
  return typeof secret === 'string' ? [{ value: secret }] : secret;
}

/** The identifier of a version, 32 hexadecimal digits; it tells nothing about the value. */
export function versionId(name: string, index: number): string {
  return createHash('sha256').update(`${name}/${index}`).digest('hex').slice(0, 32);
}

export function propertiesOf(origin: string, name: string, { index, isEnabled = true }: VersionAt): VersionProperties {
  const created = FIRST_CREATED_SECONDS + index;
  return {
    id: `${origin}/secrets/${name}/${versionId(name, index)}`,
    attributes: {
      enabled: isEnabled,
      created,
      updated: created,
      recoveryLevel: 'Recoverable+Purgeable',
      recoverableDays: 90,
    },
    tags: {},
  };
}

type VersionAt = Pick<SecretVersion, 'isEnabled'> & { readonly index: number };
