import { describe, expect, test } from '@jest/globals';
import { CommandBody, commandFaults, commandNames, formOf } from '../../../shared/operate/commands/commandBody.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';

const TENANT = '11111111-1111-4111-8111-111111111111';
const members = {
  ...{ customer: 'green-acres', keyId: 'key1', tenant: TENANT, kind: 'gdd', id: 'a|b', jobId: 'corn' },
  ...{ duty: 'upkeepPurge', minutes: 10 },
  ...{ owner: 'c_green-acres', webhook: 'wh_1', sequence: '1777876800041' },
  fingerprint: 'a24f793be785',
};
const reason = 'An incident of this very night.';

/** A body of the command with everything that it needs. */
function bodyOf(command: (typeof commandNames)[number]): Record<string, unknown> {
  const { needs } = formOf(command);
  const confirmed = needs.find((name) => name === 'tenant' || name === 'customer' || name === 'owner');
  const confirm = confirmed && members[confirmed];
  const target = Object.fromEntries(needs.map((name) => [name, name === 'confirm' ? confirm : members[name]]));
  return { command, reason, ...(needs.length === 0 ? {} : { target }) };
}
const wrong = (body: unknown): readonly string[] =>
  [...faultsOf(CommandBody, body), ...commandFaults(body)].map(({ msg }) => msg);

describe('the body of a command', () => {
  test.each(commandNames)('%s is taken with what it needs', (command) => {
    expect(wrong(bodyOf(command))).toEqual([]);
  });

  test.each(commandNames)('%s is refused without a reason, with a short one and with a long one', (command) => {
    const { reason: _reason, ...body } = bodyOf(command);
    expect(wrong(body)).toEqual(['reason is missing']);
    expect(wrong({ ...body, reason: 'because' })).toEqual(['reason must have at least 10 characters']);
    expect(wrong({ ...body, reason: 'x'.repeat(201) })).toEqual(['reason must have at most 200 characters']);
  });

  test.each(commandNames.filter((name) => formOf(name).needs.length > 0))(
    '%s names each member it lacks',
    (command) => {
      const { target: _target, ...body } = bodyOf(command);
      const lacks = formOf(command).needs.map((name) => `target.${name} is missing: ${command} needs it`);
      expect(wrong(body)).toEqual(lacks);
    },
  );

  test.each([
    {
      why: 'a member of another command',
      body: { ...bodyOf('drain.end'), target: { customer: 'a' } },
      told: 'drain.end takes',
    },
    { why: 'a member nobody knows', body: { ...bodyOf('drain.end'), target: { all: true } }, told: 'known property' },
    {
      why: 'a drain of more than 30 minutes',
      body: { ...bodyOf('drain.start'), target: { minutes: 31 } },
      told: '30 or less',
    },
    { why: 'a purge that is not confirmed', body: purge({ confirm: 'other' }), told: 'same as target.customer' },
    { why: 'a command nobody knows', body: { command: 'tenants.add', reason }, told: 'must be one of' },
    { why: 'a name of every object', body: { command: 'constructor', reason }, told: 'must be one of' },
    { why: 'a list', body: [], told: 'must be an object' },
  ])('$why is refused', ({ body, told }) => {
    expect(wrong(body).join()).toContain(told);
  });
});

function purge(changes: object): object {
  const { target, ...body } = bodyOf('customers.purge');
  return { ...body, target: { ...(target as object), ...changes } };
}
