/** What operators may have done, and what each command has to name. */
import { Type, type Static } from 'typebox';
import type { FaultDetail } from '../../kit/errors/fault.js';
import { isJsonObject } from '../../kit/json/json.js';
import { closedObject, uuidSchema } from '../../kit/validation/schemaParts.js';
import { NOTICE_OWNER } from '../../notices/log/noticeOwner.js';
import { KEY_TEXT } from '../../storage/rowFormat.js';
import { WEBHOOK_ID } from '../../notices/webhooks/webhook.js';
import { LONGEST_DRAIN_MINUTES } from '../../work/upkeep/drain.js';

/** What a row can be found by. */
const keyPart = (maxLength: number, description: string) =>
  Type.String({ pattern: KEY_TEXT, minLength: 1, maxLength, description: `${description}; without / \\ # ?` });

const members = {
  customer: keyPart(63, 'the id of a customer'),
  keyId: keyPart(64, 'the id of a key, as `keys.list` shows it'),
  tenant: uuidSchema('Id of the tenant, in lower case'),
  kind: keyPart(64, 'the kind of the work or of the job'),
  id: keyPart(400, 'the id of the work, as `work.list` shows it'),
  jobId: keyPart(128, 'the id of a job'),
  duty: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the duty, as `duties` of GET /ready has it' }),
  minutes: Type.Integer({
    minimum: 1,
    maximum: LONGEST_DRAIN_MINUTES,
    description: 'How long the drain lasts at most',
  }),
  owner: Type.String({
    pattern: NOTICE_OWNER.source,
    description: '`c_` and the id of a customer, or `t_` and the id of a tenant',
  }),
  webhook: Type.String({
    pattern: WEBHOOK_ID.source,
    description: 'the id of a webhook, as `notices.list` shows it',
  }),
  sequence: Type.String({ pattern: '^\\d{13}$', description: 'Place of the event in the log of its owner' }),
  fingerprint: Type.String({ pattern: '^[0-9a-f]{12}$', description: 'What stands for a caller in a log line' }),
  confirm: Type.String({ maxLength: 65, description: 'The id of what is purged, once more' }),
};

export type TargetMember = keyof typeof members;

interface CommandForm {
  readonly needs: readonly TargetMember[];
  readonly takes?: readonly TargetMember[];
  /** Whether the role `Release` is enough. */
  readonly isOfRelease?: true;
  /** Whether nothing is changed. */
  readonly isReading?: true;
}

/** The commands: none adds a tenant or a key, enables what the register disables, or restores anything. */
export const commandForms = {
  'keys.list': { needs: ['customer'], isReading: true },
  'keys.revoke': { needs: ['keyId'] },
  'tenants.hold': { needs: ['tenant'] },
  'tenants.release': { needs: ['tenant'] },
  'tenants.purge': { needs: ['tenant', 'confirm'] },
  'customers.purge': { needs: ['customer', 'confirm'] },
  who: { needs: ['fingerprint'], isReading: true },
  'work.list': { needs: [], takes: ['kind'], isReading: true },
  'work.retry': { needs: ['kind', 'id'] },
  'work.drop': { needs: ['kind', 'id'] },
  'work.run': { needs: ['duty'] },
  'jobs.show': { needs: ['tenant', 'kind', 'jobId'], isReading: true },
  'jobs.redrive': { needs: ['tenant', 'kind', 'jobId'] },
  'notices.list': { needs: ['owner'], isReading: true },
  'notices.show': { needs: ['owner', 'webhook'], isReading: true },
  'notices.disable': { needs: ['owner', 'webhook'] },
  'notices.enable': { needs: ['owner', 'webhook'] },
  'notices.redeliver': { needs: ['owner', 'webhook', 'sequence'] },
  'notices.pump': { needs: ['owner'] },
  'notices.drop': { needs: ['owner', 'confirm'] },
  'backup.now': { needs: [] },
  'drain.start': { needs: ['minutes'], isOfRelease: true },
  'drain.end': { needs: [], isOfRelease: true },
} as const satisfies Record<string, CommandForm>;

export type CommandName = keyof typeof commandForms;
export const commandNames = Object.keys(commandForms) as CommandName[];
export const formOf = (command: CommandName): CommandForm => commandForms[command];

const CommandTarget = closedObject(
  'CommandTarget',
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Name in TargetMember]: ReturnType<typeof Type.Optional<(typeof members)[Name]>>;
  },
);

/** What a command is about. Members that its form needs are there once the body has been checked. */
export type CommandTarget = { readonly [Name in TargetMember]: Static<(typeof members)[Name]> };

/** The body of a command. */
export const CommandBody = closedObject('Command', {
  command: Type.Enum(commandNames, { description: 'What is to be done' }),
  target: Type.Optional(CommandTarget),
  reason: Type.String({ minLength: 10, maxLength: 200, description: 'Why, for the audit' }),
  dryRun: Type.Optional(Type.Boolean({ description: 'With `true` nothing is changed: the answer says what would be' })),
});

/** The rules between command and target. */
export function commandFaults(body: unknown): readonly FaultDetail[] {
  if (!isJsonObject(body)) return [];
  const command = commandNames.find((name) => name === body['command']);
  const target: unknown = body['target'] ?? {};
  if (command === undefined || !isJsonObject(target)) return [];
  const { needs, takes = [] } = formOf(command);
  const known: readonly string[] = [...needs, ...takes];
  const missing = needs
    .filter((name) => target[name] === undefined)
    .map((name) => fault(name, `is missing: ${command} needs it`, 'required'));
  const unknown = Object.keys(target)
    .filter((name) => Object.hasOwn(members, name) && !known.includes(name))
    .map((name) => fault(name, `is nothing that ${command} takes; remove it`, 'unknown'));
  return [...missing, ...unknown, ...confirmFaults(target, needs)];
}

const fault = (member: string, text: string, type: string): FaultDetail => ({
  loc: ['target', member],
  msg: `target.${member} ${text}`,
  type,
});

/** What can't be brought back is named twice. */
function confirmFaults(target: Record<string, unknown>, needs: readonly TargetMember[]): readonly FaultDetail[] {
  const purged = needs.find((name) => name === 'customer' || name === 'tenant' || name === 'owner');
  if (!needs.includes('confirm') || purged === undefined || target['confirm'] === undefined) return [];
  if (target['confirm'] === target[purged]) return [];
  return [fault('confirm', `must be the same as target.${purged}`, 'confirm')];
}
