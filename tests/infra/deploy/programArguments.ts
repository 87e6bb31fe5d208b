// Whether the programs of operators take a command line: each reads it with its own code, up to where it would begin.
import { runCustomerCommand } from '../../../infra/local/customers/customerCommands.js';
import { noticesByUrl } from '../../../infra/local/notices/noticeCommand.js';
import {
  customersByUrl,
  jobsByUrl,
  operateByUrl,
  tenantsByUrl,
  backupByUrl,
} from '../../../infra/local/operate/byUrl.js';
import type { ByUrl } from '../../../infra/local/operate/byUrl.js';
import { operatorArguments } from '../../../infra/local/operate/operatorArguments.js';
import { runTenantCommand } from '../../../infra/local/tenants/tenantCommands.js';
import { CommandBody, commandFaults } from '../../../shared/operate/commands/commandBody.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';

const byUrl: Readonly<Record<string, ByUrl>> = {
  ...{ customers: customersByUrl, tenants: tenantsByUrl, jobs: jobsByUrl, backup: backupByUrl },
  ...{ notices: noticesByUrl, operate: operateByUrl },
};

class Begun extends Error {}
const begin = (): never => {
  throw new Begun();
};

const onStorage: Readonly<Record<string, (own: readonly string[]) => Promise<unknown>>> = {
  customers: (own) => runCustomerCommand(own, begin),
  tenants: (own) => runTenantCommand(own, begin),
};

/** By a service: what the command's own form says of it. */
function faultByUrl(program: string, own: readonly string[], reason: string | undefined): string | undefined {
  const command = byUrl[program]?.(own);
  if (command === undefined) return 'the service does not carry it out';
  if (command.command === 'state') return undefined;
  const body = { ...command, reason };
  return [...faultsOf(CommandBody, body), ...commandFaults(body)].map(({ msg }) => msg).join('; ') || undefined;
}

/** Why a program does not take the words behind `npm run <program> --`; undefined when it does. */
export async function faultOf(program: string, words: readonly string[]): Promise<string | undefined> {
  if (!(program in byUrl)) return undefined;
  try {
    const { url, reason, own } = operatorArguments(words);
    if (url !== undefined) return faultByUrl(program, own, reason);
    if (program === 'operate') return '--url is missing';
    await onStorage[program]?.(own);
    return undefined;
  } catch (error) {
    return error instanceof Begun ? undefined : String(error);
  }
}
