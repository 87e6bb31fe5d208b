import { readFileSync } from 'node:fs';
import {
  addTenant,
  importTenants,
  removeTenant,
  requireSilence,
  setTenant,
  switchTenant,
  TenantRefusal,
  type GivenMembers,
  type ManageTenantsPorts,
} from '../../../shared/access/tenants/manageTenants.js';
import { fingerprint } from '../../../shared/kit/telemetry/telemetry.js';
import { tenantMembers } from '../../../shared/access/tenants/tenant.js';
import { registerOf, type Registration } from '../../../shared/access/tenants/tenantRegister.js';
import type { TenantOperator } from './tenantOperator.js';

export const usage = `npm run tenants -- add <tid> [<member>=<value> …]   a tenant whose tokens count from now on
npm run tenants -- set <tid> <member>=<value> …     changes members; <member>= takes one away
npm run tenants -- list                             all tenants, and whether they are served
npm run tenants -- show <tid>                       one tenant, and every change of it
npm run tenants -- disable <tid>                    refuses its tokens within a minute
npm run tenants -- enable <tid>                     takes them again
npm run tenants -- remove <tid>                     forgets a disabled tenant that has no jobs and no farm data
npm run tenants -- purge <tid> --yes                deletes everything of a disabled tenant: farm data, jobs, insights
npm run tenants -- export <tid> [<folder>]          everything that is stored of a tenant, as zip files
npm run tenants -- import [file]                    adds or sets the tenants of a JSON file, else of the variable TENANTS
Members: ${tenantMembers.join(', ')}.
With --url <service> --reason <text> the service itself does: hold <tid>, release <tid>, purge <tid> [--yes].
Local by default (LOCAL_DIR); set DATA_STORAGE__tableServiceUri for Azure, for export DATA_STORAGE__blobServiceUri too.`;

interface Arguments {
  readonly subject: string;
  readonly rest: readonly string[];
}

type Command = (ports: ManageTenantsPorts, given: Arguments, operator: TenantOperator) => Promise<unknown>;

const commands: Readonly<Record<string, Command>> = {
  add: async (ports, { subject: tid, rest }) => ({ tid, ...(await addTenant(ports)(tid, membersOf(rest))) }),
  set: async (ports, { subject: tid, rest }) => ({ tid, ...(await setTenant(ports)(tid, membersOf(rest))) }),
  list: (_ports, _given, operator) => list(operator),
  show: (_ports, { subject: tid }, operator) => show(operator, tid),
  disable: async (ports, { subject: tid }) => {
    await switchTenant(ports, 'disable')(tid);
    return { tid, state: 'disabled' };
  },
  enable: async (ports, { subject: tid }) => {
    await switchTenant(ports, 'enable')(tid);
    return { tid, state: 'enabled' };
  },
  remove: async (ports, { subject: tid }) => {
    await removeTenant(ports)(tid);
    return { removed: tid };
  },
  purge: async (ports, { subject: tid, rest }, operator) => {
    await requireSilence(ports)(tid);
    if (rest[0] !== '--yes')
      return { wouldPurge: tid, next: 'Add --yes to delete everything of it; nothing brings it back.' };
    const erased = await operator.eraseTenant(tid);
    return { purged: tid, erased, next: 'npm run tenants -- remove takes it out of the register.' };
  },
  export: async (_ports, { subject: tid, rest }, operator) => ({
    tid,
    ...(await operator.exportTenant(tid, rest[0] ?? `tenant-${tid}`)),
  }),
  import: (ports, { subject: file }, { seed }) => {
    const text = file === '' ? seed : readFileSync(file, 'utf8');
    if (text === undefined) throw new TenantRefusal('Name a file, or set TENANTS to JSON by tenant id.');
    return importTenants(ports)(text);
  },
};

/** Those that take more than a tenant, and those that need no tenant. */
const more: Readonly<Record<string, (rest: readonly string[]) => boolean>> = {
  add: () => true,
  set: (rest) => rest.length > 0,
  export: (rest) => rest.length <= 1,
  purge: (rest) => rest.length === 0 || rest.join(' ') === '--yes',
};
const withoutTenant = new Set(['list', 'import']);

/**
 * Runs one command of an operator. @returns what to print
 *
 * @throws TenantRefusal with a text for the operator
 */
export async function runTenantCommand(argv: readonly string[], open: () => TenantOperator): Promise<unknown> {
  const [name = '', subject = '', ...rest] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const hasAll = subject !== '' || withoutTenant.has(name);
  const isRight = more[name] ?? ((others: readonly string[]) => others.length === 0);
  if (command === undefined || !hasAll || !isRight(rest)) throw new TenantRefusal(usage);
  const operator = open();
  const ports = { ...operator, by: await operator.whoAsks() };
  return command(ports, { subject, rest }, operator);
}

/** Members as they are written: `<member>=<value>`, an empty value takes one away. */
function membersOf(texts: readonly string[]): GivenMembers {
  const entries = texts.map((text): [string, unknown] => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (name === '') throw new TenantRefusal(`${text} is not <member>=<value>.\n${usage}`);
    return [name, value === '' ? undefined : /^\d+$/.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The register with what each row means, as far as can be told without the settings of the service. */
async function register({ tenants }: TenantOperator): Promise<ReadonlyMap<string, Registration>> {
  return registerOf(await tenants.list(), { hasForeignApp: true });
}

async function list(operator: TenantOperator): Promise<unknown> {
  const held = await heldIn(operator);
  return [...(await register(operator))].map(([tid, found]) => ({ ...named(tid, held), ...shown(found) }));
}

/** Since when each tenant is held. */
async function heldIn({ holds }: TenantOperator): Promise<ReadonlyMap<string, string>> {
  return new Map((await holds.list()).map(({ tid, since }) => [tid, new Date(since).toISOString()]));
}

/** What names a tenant in the register, and in a line of the log; and whether it is held, whatever the register says. */
function named(tid: string, held: ReadonlyMap<string, string>): object {
  const heldSince = held.get(tid);
  return { tid, fingerprint: fingerprint(tid), ...(heldSince === undefined ? {} : { heldSince }) };
}

async function show(operator: TenantOperator, tid: string): Promise<unknown> {
  const found = (await register(operator)).get(tid);
  const log = await operator.tenants.log(tid);
  if (found === undefined && log.length === 0) throw new TenantRefusal(`There is no tenant ${tid}; list shows them.`);
  const changes = log.map(({ at, ...entry }) => ({ at: new Date(at).toISOString(), ...entry }));
  return {
    ...named(tid, await heldIn(operator)),
    ...(found === undefined ? { state: 'removed' } : shown(found)),
    changes,
  };
}

function shown(found: Registration): object {
  return found.state === 'unusable' ? found : { state: found.state, ...found.tenant };
}
