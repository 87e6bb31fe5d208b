import fc from 'fast-check';
import { check } from '../checker.mjs';
import { fetchAll, gddParameters } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';

const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELLED'];
/** What a caller may know of a job: nothing created, or the status last seen. */
const STATES = ['none', 'WAITING', 'RUNNING', ...ENDED];
const OPERATIONS = ['create', 'fetch', 'cancel', 'wrongCreate', 'wrongPath'];
/** Ids are used again and again, so that each is met in every state. */
const IDS = 5;
/** After each status, what a later look may show. */
const LATER = {
  WAITING: ['WAITING', 'RUNNING', ...ENDED],
  RUNNING: ['WAITING', 'RUNNING', ...ENDED],
  SUCCEEDED: ['SUCCEEDED'],
  FAILED: ['FAILED'],
  CANCELLED: ['CANCELLED'],
};
const isOpen = (state) => state === 'WAITING' || state === 'RUNNING';

/** What is known of the jobs of one run, and which pairs of state and operation were met. */
class Model {
  jobs = new Map();
  met;

  constructor(met) {
    this.met = met;
  }

  stateOf(id) {
    return this.jobs.get(id)?.status ?? 'none';
  }

  meet(id, operation) {
    const pair = `${this.stateOf(id)}/${operation}`;
    this.met.set(pair, (this.met.get(pair) ?? 0) + 1);
  }
}

function expectAnswer(what, { status, json }, allowed) {
  const code = json?.error?.code;
  if (!allowed.some((one) => one.status === status && (one.code === undefined || one.code === code)))
    throw new Error(`${what} was answered ${status} ${JSON.stringify(json)}, not ${JSON.stringify(allowed)}`);
}

/** What is echoed of a job must be what was sent, whenever it is shown. */
function expectJob(what, { json }, known) {
  const { status, insightId, partnerRequestBody, e2eId } = json;
  if (!LATER[known.status].includes(status)) throw new Error(`${what} shows ${status} after ${known.status}`);
  if ((status === 'SUCCEEDED') !== (insightId !== undefined)) throw new Error(`${what}: ${status} with ${insightId}`);
  if (known.insightId !== undefined && insightId !== known.insightId) throw new Error(`${what} changed its insight`);
  if (e2eId !== known.e2eId) throw new Error(`${what} changed its e2eId`);
  if (partnerRequestBody.gddEndDate !== known.sent.gddEndDate) throw new Error(`${what} shows other parameters`);
  Object.assign(known, { status, insightId });
}

class Command {
  constructor(operation, id, number) {
    Object.assign(this, { operation, id, number });
  }

  check() {
    return true;
  }

  toString() {
    return `${this.operation}(${this.id})`;
  }

  async run(model, real) {
    const id = `${real.prefix}-${this.id}`;
    model.meet(id, this.operation);
    await this[this.operation](model, real, id);
  }

  async create(model, { world }, id) {
    const sent = gddParameters(world.service, this.number);
    // A field that does not exist makes a job that fails.
    if (this.number % 2 === 0) sent.resourceId = '00000000-0000-4000-8000-000000000000';
    const isKnown = model.jobs.has(id);
    const reply = await world.client.create('gdd', id, sent);
    expectAnswer(`create ${id}`, reply, [isKnown ? { status: 409, code: 'Conflict' } : { status: 202 }]);
    if (!isKnown) model.jobs.set(id, { status: 'WAITING', sent, e2eId: reply.json.e2eId });
  }

  async fetch(model, { world }, id) {
    const known = model.jobs.get(id);
    const reply = await world.client.fetch('gdd', id);
    expectAnswer(`fetch ${id}`, reply, [known === undefined ? { status: 404, code: 'HWA-04101' } : { status: 200 }]);
    if (known !== undefined) expectJob(`fetch ${id}`, reply, known);
  }

  async cancel(model, { world }, id) {
    const known = model.jobs.get(id);
    const reply = await world.client.cancel('gdd', id);
    const refused = { status: 409, code: 'GDD-04102' };
    if (known === undefined) return expectAnswer(`cancel ${id}`, reply, [{ status: 404, code: 'HWA-04101' }]);
    // One that was last seen open may have ended since.
    expectAnswer(`cancel ${id}`, reply, isOpen(known.status) ? [{ status: 200 }, refused] : [refused]);
    if (reply.status === 200) return expectJob(`cancel ${id}`, { json: { ...reply.json, status: 'CANCELLED' } }, known);
    const after = await world.client.fetch('gdd', id);
    expectJob(`fetch ${id} after a refused cancel`, after, known);
    if (!ENDED.includes(known.status)) throw new Error(`the cancel of ${id} was refused, and it is ${known.status}`);
  }

  async wrongCreate(_model, { world }, id) {
    const [name, value] = [
      ['crop', 'RICE'],
      ['gddEndDate', '2025-02-30'],
      ['partyId', 'x'],
      ['temperatureUnit', 'k'],
      ['insightId', 'x'],
    ][this.number % 5];
    const reply = await world.client.create('gdd', id, { ...gddParameters(world.service, 1), [name]: value });
    expectAnswer(`create ${id} with ${name} ${value}`, reply, [{ status: 400, code: 'GDD-04100' }]);
  }

  async wrongPath(_model, { world }, id) {
    const path = ['/v2/gdd/', '/v1/gdd//', '/v1/smart-boundary/', 'v1/gdd/'][this.number % 4] + id;
    const body = { requestPath: path };
    const op = this.number % 2 === 0 ? 'fetch' : 'cancel';
    const reply = await world.client.call(op, `/solutions/partnerAgPowered.gdd:${op}`, { method: 'POST', body });
    expectAnswer(`${op} ${path}`, reply, [{ status: 400, code: 'GDD-04100' }]);
  }
}

/** Waits now and then, so that jobs are met at work and at their end too. */
class Wait {
  constructor(ms) {
    this.ms = ms;
  }

  check() {
    return true;
  }

  toString() {
    return `wait(${this.ms})`;
  }

  run() {
    return pause(this.ms);
  }
}

const commands = (count) => {
  const number = fc.nat({ max: 59 });
  const command = fc
    .tuple(fc.constantFrom(...OPERATIONS, 'fetch', 'cancel', 'fetch'), fc.nat({ max: IDS - 1 }), number)
    .map(([operation, id, drawn]) => new Command(operation, id, drawn));
  const wait = fc.constantFrom(100, 400, 1_200).map((ms) => new Wait(ms));
  return fc.array(fc.oneof({ weight: 9, arbitrary: command }, { weight: 1, arbitrary: wait }), {
    minLength: count,
    maxLength: count,
  });
};

/** Runs one list of commands against a model of their own; a divergence is a breach. */
async function runSeed(world, met, { seed, count }, breaches) {
  const [list] = fc.sample(commands(count), { seed, numRuns: 1 });
  const real = { world, prefix: `seed-${seed}` };
  const model = new Model(met);
  for (const [index, command] of list.entries()) {
    // A run has many short lives: new ids after so many commands.
    if (index % 100 === 0) real.prefix = `seed-${seed}-${index}`;
    try {
      await command.run(model, real);
    } catch (error) {
      breaches.push(`seed ${seed}, command ${index} ${command}: ${error.message}`);
      return index;
    }
  }
  return list.length;
}

export const experiment = {
  id: 'E19',
  restsOn: ['jobs', 'http', 'work'],
  title: 'random commands, wrong ones too, against a model of a job',
  passLine: '0 divergences; at least 95 % of the pairs of state and operation were met',
  run: async (context) => {
    const count = context.size(400, 5_000);
    const seeds = context.full ? 20 : 4;
    const world = await context.start();
    world.slowJobs(1_200);
    const met = new Map();
    const breaches = [];
    const runs = Array.from({ length: seeds }, (_, index) =>
      runSeed(world, met, { seed: context.seed * 1_000 + index, count }, breaches),
    );
    const commandsRun = (await Promise.all(runs)).reduce((sum, number) => sum + number, 0);
    const pairs = STATES.flatMap((state) => OPERATIONS.map((operation) => `${state}/${operation}`));
    const missing = pairs.filter((pair) => !met.has(pair));
    if (missing.length > pairs.length * 0.05) breaches.push(`never met: ${missing.join(', ')}`);
    const { counts, breaches: found } = await check(world, { quietMs: context.quietMs(180_000) });
    await fetchAll(world, []);
    const covered = `${pairs.length - missing.length} of ${pairs.length}`;
    return { counts: { commands: commandsRun, seeds, pairs: covered, ...counts }, breaches: [...breaches, ...found] };
  },
};
