/** Which commands of the operators' programs a service carries out itself, and what each is called there. */
import type { RemoteCommand } from './remoteCommand.js';

/** The command of a program as the service knows it; undefined where storage has to be worked on. */
export type ByUrl = (own: readonly string[]) => RemoteCommand | undefined;

/** The command, unless a word is left over: one that isn't understood may have been meant to change what is done. */
function only(command: RemoteCommand, rest: readonly string[]): RemoteCommand {
  if (rest.length === 0) return command;
  throw new Error(`${rest.at(-1) ?? ''} is nothing that ${command.command} takes by --url; take it out.`);
}

/** A purge without `--yes` changes nothing and says what would be. */
function purge(command: string, member: string, [id = '', ...rest]: readonly string[]): RemoteCommand {
  const target = { [member]: id, confirm: id };
  const yes = rest[0] === '--yes';
  return only({ command, target, ...(yes ? {} : { dryRun: true }) }, rest.slice(yes ? 1 : 0));
}

export const customersByUrl: ByUrl = ([name, ...own]) => {
  const [subject = '', ...rest] = own;
  if (name === 'list' && subject !== '') return only({ command: 'keys.list', target: { customer: subject } }, rest);
  if (name === 'revoke') return only({ command: 'keys.revoke', target: { keyId: subject } }, rest);
  return name === 'purge' ? purge('customers.purge', 'customer', own) : undefined;
};

export const tenantsByUrl: ByUrl = ([name, ...own]) => {
  const [tenant = '', ...rest] = own;
  if (name === 'hold' || name === 'release') return only({ command: `tenants.${name}`, target: { tenant } }, rest);
  return name === 'purge' ? purge('tenants.purge', 'tenant', own) : undefined;
};

export const jobsByUrl: ByUrl = ([name, tenant = '', kind = '', jobId = '', ...rest]) =>
  name === 'show' || name === 'redrive'
    ? only({ command: `jobs.${name}`, target: { tenant, kind, jobId } }, rest)
    : undefined;

export const backupByUrl: ByUrl = ([name, ...rest]) =>
  name === 'now' ? only({ command: 'backup.now' }, rest) : undefined;

/** Any command, its target as `<member>=<value>`; what `who` looks for stands alone. */
export const operateByUrl: ByUrl = ([command = '', ...rest]) => {
  const texts = command === 'who' && !rest[0]?.includes('=') ? [`fingerprint=${rest.join(' ')}`] : rest;
  const entries = texts.map((text): [string, string | number] => {
    const [, member = '', value = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    if (member === '') throw new Error(`${text} is not <member>=<value>.`);
    return [member, member === 'minutes' ? Number(value) : value];
  });
  return {
    command,
    ...(entries.length === 0 ? {} : { target: Object.fromEntries(entries) }),
  };
};
