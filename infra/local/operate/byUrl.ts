/** Which commands of the operators' programs a service carries out itself, and what each is called there. */
import type { RemoteCommand } from './remoteCommand.js';

/** The command of a program as the service knows it; undefined where storage has to be worked on. */
export type ByUrl = (own: readonly string[]) => RemoteCommand | undefined;

/** A purge without `--yes` changes nothing and says what would be. */
const purge = (command: string, member: string, id: string, yes: boolean): RemoteCommand => ({
  ...{ command, target: { [member]: id, confirm: id } },
  ...(yes ? {} : { dryRun: true }),
});

export const customersByUrl: ByUrl = ([name, subject = '', ...rest]) => {
  if (name === 'list' && subject !== '') return { command: 'keys.list', target: { customer: subject } };
  if (name === 'revoke') return { command: 'keys.revoke', target: { keyId: subject } };
  return name === 'purge' ? purge('customers.purge', 'customer', subject, rest.includes('--yes')) : undefined;
};

export const tenantsByUrl: ByUrl = ([name, tenant = '', ...rest]) => {
  if (name === 'hold' || name === 'release') return { command: `tenants.${name}`, target: { tenant } };
  return name === 'purge' ? purge('tenants.purge', 'tenant', tenant, rest.includes('--yes')) : undefined;
};

export const jobsByUrl: ByUrl = ([name, tenant = '', kind = '', jobId = '']) =>
  name === 'show' || name === 'redrive' ? { command: `jobs.${name}`, target: { tenant, kind, jobId } } : undefined;

export const backupByUrl: ByUrl = ([name]) => (name === 'now' ? { command: 'backup.now' } : undefined);

/** Any command, its target as `<member>=<value>`. */
export const operateByUrl: ByUrl = ([command = '', ...rest]) => {
  const texts = rest.filter((text) => text !== '--dry-run');
  const entries = texts.map((text): [string, string | number] => {
    const [, member = '', value = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    if (member === '') throw new Error(`${text} is not <member>=<value>.`);
    return [member, member === 'minutes' ? Number(value) : value];
  });
  return {
    command,
    ...(entries.length === 0 ? {} : { target: Object.fromEntries(entries) }),
    ...(rest.includes('--dry-run') ? { dryRun: true } : {}),
  };
};
