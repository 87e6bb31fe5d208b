import { isLandId } from '../../../shared/farm/land/land.js';
import { mkdirSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { exportParty } from './exportParty.js';
import { eraseAndWait } from './eraseCommand.js';
import type { FarmOperator } from './farmOperator.js';
import { isTenantId } from '../../../shared/access/tenants/tenant.js';
import { requireSilence } from '../../../shared/access/tenants/manageTenants.js';

export const usage = `npm run farm -- export <tid> <partyId> [-o <folder>]  everything of a party, to resources.ndjson and attachments/
npm run farm -- erase <tid> <partyId> --yes           deletes everything of a party, its jobs and their insights too
npm run farm -- erase <tid> --yes                     the same of a disabled tenant; tenants purge does it, too
Local by default (LOCAL_DIR); set DATA_STORAGE__tableServiceUri and DATA_STORAGE__blobServiceUri for Azure.`;

/** A command that can't be carried out, in words for the operator. */
export class FarmCommandRefusal extends Error {}

interface Arguments {
  readonly tenant: string;
  readonly partyId: string | undefined;
  readonly output: string | undefined;
  readonly yes: boolean;
}

type Command = (operator: FarmOperator, given: Arguments) => Promise<unknown>;

const commands: Readonly<Record<string, Command>> = {
  export: async (operator, { tenant, partyId, output = `party-${partyId ?? ''}` }) => {
    if (partyId === undefined) throw new FarmCommandRefusal(usage);
    mkdirSync(output, { recursive: true });
    if (readdirSync(output).length > 0) throw new FarmCommandRefusal(`The folder ${output} is not empty.`);
    const counts = await exportParty(operator, { tenant, partyId }, output);
    if (counts === undefined) throw new FarmCommandRefusal(`The tenant ${tenant} has no party ${partyId}.`);
    return { folder: output, ...counts };
  },
  erase: async (operator, { tenant, partyId, yes }) => {
    if (partyId === undefined) await requireSilence(operator)(tenant);
    const scope = { tenant, ...(partyId === undefined ? {} : { partyId }) };
    if (yes) return { erased: await eraseAndWait(operator, scope) };
    return { wouldErase: partyId === undefined ? 'everything of the tenant' : `the party ${partyId}`, next };
  },
};

const next = 'Add --yes to erase it. Nothing brings it back: exports of before leave it out when they are restored.';

/**
 * Runs one command of an operator. @returns what to print
 *
 * @throws Error with a text for the operator
 */
export async function runFarmCommand(argv: readonly string[], open: () => FarmOperator): Promise<unknown> {
  const { values, positionals } = read(argv);
  const [name = '', tenant = '', partyId, ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined || rest.length > 0) throw new FarmCommandRefusal(usage);
  if (!isTenantId(tenant)) {
    throw new FarmCommandRefusal(`${tenant} is no tenant id: it is a UUID in lower case.\n${usage}`);
  }
  if (partyId !== undefined && !isLandId(partyId)) {
    throw new FarmCommandRefusal(
      `"${partyId}" is no id of a party. Leave it out for everything of the tenant.\n${usage}`,
    );
  }
  return command(open(), { tenant, partyId, output: values.output, yes: values.yes });
}

function read(argv: readonly string[]) {
  const options = { output: { type: 'string', short: 'o' }, yes: { type: 'boolean', default: false } } as const;
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (cause) {
    throw new FarmCommandRefusal(`${cause instanceof Error ? cause.message : ''}\n${usage}`, { cause });
  }
}
