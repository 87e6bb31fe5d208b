import { beforeEach, describe, expect, test } from '@jest/globals';
import { noticesByUrl, runNoticeCommand } from '../../../infra/local/notices/noticeCommand.js';
import { operatedNotices } from '../../../shared/wiring/areas/operateServices.js';
import type { Webhook } from '../../../shared/notices/webhooks/webhook.js';
import { WorkStore } from '../../../shared/work/item/workStore.js';
import { owner, WebhookWorld } from '../../notices/sending/webhookWorld.js';
import { OperateWorld } from './operateWorld.js';

const URL_WITH_TOKEN = 'https://farm.example/hooks/path-token?code=query-token';

let world: WebhookWorld;
let webhook: Webhook;
beforeEach(async () => {
  world = new WebhookWorld();
  webhook = await world.webhook({ url: URL_WITH_TOKEN });
  await world.tell('a');
  await world.work();
});

const tables = () => ({ work: world.kernel.rows, webhooks: world.webhookRows, notices: world.noticeRows });
const run = (...own: readonly string[]) =>
  runNoticeCommand(own, () => ({
    notices: operatedNotices({ rows: (name) => tables()[name as keyof ReturnType<typeof tables>] }, world.ports),
  }));
const receiver = () => world.receiver(URL_WITH_TOKEN);
const latest = async () => String(await world.ports.log.latest(owner));

describe('an operator', () => {
  test('sees the webhooks of an owner and how far each has come', async () => {
    await world.change(webhook, { status: 'paused' });
    await world.tell('b', 'c');
    expect(await run('list', owner)).toMatchObject({
      ...{ owner, keepsLog: true },
      webhooks: [{ webhookId: webhook.id, host: 'farm.example', status: 'paused', pending: 2, keyVersions: ['1'] }],
    });
    expect(await run('show', owner, webhook.id)).toMatchObject({ deliveries: [{ eventId: 'a', status: 'delivered' }] });
  });

  test('sees that nothing waits for a webhook of an owner whose log is empty', async () => {
    world = new WebhookWorld();
    webhook = await world.webhook();
    world.clock.jump(60_000);
    expect(await run('list', owner)).toMatchObject({ webhooks: [{ webhookId: webhook.id, pending: 0 }] });
  });

  test('sees no path, no query and no secret of a webhook', async () => {
    const seen = JSON.stringify([await run('list', owner), await run('show', owner, webhook.id)]);
    expect(seen).not.toMatch(/token|whsec|sealed|consent|box/);
  });

  test('disables a webhook: nothing is sent any more, and its owner is told', async () => {
    await run('disable', owner, webhook.id);
    await world.tell('b');
    await world.pass(5);
    expect(await world.stored(webhook)).toMatchObject({ status: 'disabled', disabledReason: 'operator' });
    expect(receiver().ids).toEqual(['a']);
    const told = (await world.ports.log.read(owner, 0, 10)).map(({ body }) => JSON.parse(body) as object);
    expect(told).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ reason: 'operator' }) as unknown }),
    );
    await expect(run('disable', owner, webhook.id)).rejects.toThrow('disabled already');
  });

  test('enables one that is disabled: its receiver is asked, and gets what it missed', async () => {
    await expect(run('enable', owner, webhook.id)).rejects.toThrow('is enabled');
    await run('disable', owner, webhook.id);
    await world.tell('b');
    await run('enable', owner, webhook.id);
    expect(await world.stored(webhook)).toMatchObject({ status: 'pending' });
    await world.work();
    expect(receiver().asks).toHaveLength(2);
    expect(receiver().ids).toContain('b');
  });

  test('has an event of the log sent once more', async () => {
    await run('redeliver', owner, webhook.id, await latest());
    await world.work();
    expect(receiver().ids).toEqual(['a', 'a']);
    await expect(run('redeliver', owner, webhook.id, '0000000000001')).rejects.toThrow('has no event at 0000000000001');
  });

  test('has what waits sent now, to a receiver that counts as away too', async () => {
    receiver().answer = () => ({ status: 500 });
    for (const id of ['b', 'c', 'd', 'e', 'f', 'g']) {
      await world.tell(id);
      await world.work();
    }
    // Probes become seldom.
    await world.pass(30);
    receiver().answer = () => ({ status: 204 });
    const { state } = await world.ports.deliveries.findState(webhook, 0);
    expect(state.breaker!.probeAt - world.clock.now().getTime()).toBeGreaterThan(10 * 60_000);
    const before = receiver().posts.length;
    expect(await run('pump', owner)).toMatchObject({ woken: [webhook.id] });
    await world.pass(3);
    expect(receiver().posts.length).toBeGreaterThan(before);
    expect(await run('list', owner)).toMatchObject({ webhooks: [{ nextProbeAt: null }] });
  });

  test('drops everything of an owner, and only when that is certain', async () => {
    expect(await run('drop', owner)).toMatchObject({ wouldDrop: { webhooks: [{ webhookId: webhook.id }] } });
    expect(world.webhookRows.all()).not.toEqual([]);
    expect(await run('drop', owner, '--yes')).toEqual({ dropped: owner, webhooks: 1 });
    expect([...world.webhookRows.all(), ...world.noticeRows.all()]).toEqual([]);
    expect(await new WorkStore(world.kernel.rows).idsOf('webhook', '')).toEqual([]);
    await expect(run('list', owner)).rejects.toThrow('has no webhook, and no log is kept for it');
  });

  test.each([
    { own: [], told: 'npm run notices' },
    { own: ['show', owner], told: 'npm run notices' },
    { own: ['list', owner, '--yes'], told: 'npm run notices' },
    { own: ['list', 'demo-farm'], told: 'target.owner' },
    { own: ['redeliver', owner, 'wh_1', '12'], told: 'target.sequence' },
    { own: ['show', owner, 'wh_none'], told: 'has no webhook wh_none' },
    { own: ['list', 't_demo-farm'], told: '`t_` and the id of a tenant' },
  ])('is told what is wrong with $own', async ({ own, told }) => {
    await expect(run(...own)).rejects.toThrow(told);
  });
});

describe('by the service', () => {
  test('each command is the one of the program', () => {
    expect(noticesByUrl(['redeliver', owner, 'wh_1', '1777876800041'])).toEqual({
      command: 'notices.redeliver',
      target: { owner, webhook: 'wh_1', sequence: '1777876800041' },
    });
    expect(noticesByUrl(['drop', owner])).toEqual({
      ...{ command: 'notices.drop', dryRun: true },
      target: { owner, confirm: owner },
    });
    expect(noticesByUrl(['drop', owner, '--yes'])).not.toHaveProperty('dryRun');
  });

  test('each change has its row in the audit, also where it is refused', async () => {
    const operating = new OperateWorld();
    await expect(operating.command('notices.disable', { owner, webhook: 'wh_none' })).rejects.toThrow('wh_none');
    await operating.ports.notices!.listeners.listen(owner);
    await operating.command('notices.pump', { owner });
    await operating.command('notices.drop', { owner, confirm: owner });
    await operating.live(5);
    const said = operating.operated.map(({ command, outcome }) => [command, outcome]);
    expect(said).toEqual([
      ['notices.disable', 'Refused'],
      ['notices.pump', 'Done'],
      ['notices.drop', 'Done'],
    ]);
    expect(await operating.ports.notices!.listeners.hasNow(owner)).toBe(false);
  });

  test('nothing is done where notices are off', async () => {
    const operating = new OperateWorld();
    Object.assign(operating.ports, { notices: undefined });
    await expect(operating.command('notices.list', { owner })).rejects.toThrow('WEBHOOK_KEYS is not set');
  });
});
