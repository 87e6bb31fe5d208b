import { check } from '../checker.mjs';
import { gddParameters } from '../jobLoad.mjs';

const DAY_MS = 86_400_000;
const startOf = (number) => new Date(Date.UTC(2025, 0, 1) + number * DAY_MS).toISOString().slice(0, 10);

export const experiment = {
  id: 'E4',
  restsOn: ['jobs', 'storage'],
  title: 'many creates of one id at once, on two hosts, each with other parameters',
  passLine: 'one 202 for each id, 409 for all others; the stored parameters are the winner’s',
  run: async (context) => {
    const ids = context.size(20, 50);
    const rivals = context.full ? 200 : 60;
    const world = await context.start({ hosts: 2 });
    const { client, service } = world;
    const breaches = [];
    const statuses = {};
    for (let id = 0; id < ids; id += 1) {
      const answers = await Promise.all(
        Array.from({ length: rivals }, (_, number) =>
          client.create('gdd', `one-${id}`, { ...gddParameters(service, number), gddStartDate: startOf(number) }),
        ),
      );
      for (const { status } of answers) statuses[status ?? 'none'] = (statuses[status ?? 'none'] ?? 0) + 1;
      const accepted = answers.filter(({ status }) => status === 202);
      const refused = answers.filter(({ status }) => status === 409);
      if (accepted.length !== 1 || refused.length !== rivals - 1)
        breaches.push(`I2: one-${id}: ${accepted.length} × 202, ${refused.length} × 409 of ${rivals}`);
      const { json } = await client.insist(() => client.fetch('gdd', `one-${id}`));
      const sent = accepted[0]?.sent.partnerRequestBody;
      if (json.partnerRequestBody.gddStartDate !== sent?.gddStartDate)
        breaches.push(
          `I2: one-${id} holds ${json.partnerRequestBody.gddStartDate}, the winner sent ${sent?.gddStartDate}`,
        );
    }
    const checked = await check(world, { quietMs: context.quietMs(120_000) });
    return {
      counts: { ids, rivals, accepted: statuses[202] ?? 0, refused: statuses[409] ?? 0, ...checked.counts },
      breaches: [...breaches, ...checked.breaches],
    };
  },
};
