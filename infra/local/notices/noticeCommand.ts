import { CommandBody, commandFaults, type CommandTarget } from '../../../shared/operate/commands/commandBody.js';
import type { StepEnd } from '../../../shared/operate/commands/longCommands.js';
import { noticeCommands, type NoticeCommandPorts } from '../../../shared/operate/commands/noticeCommands.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';
import type { RemoteCommand } from '../operate/remoteCommand.js';

export const usage = `npm run notices -- listen                                          what a webhook of the demo customer is sent
npm run notices -- list <owner>                                    webhooks, and how far each has come
npm run notices -- show <owner> <webhook id>                       one of them, with its latest deliveries
npm run notices -- disable <owner> <webhook id>                    sends nothing any more; the owner is told
npm run notices -- enable <owner> <webhook id>                     asks the receiver of a disabled one for its consent
npm run notices -- redeliver <owner> <webhook id> <sequence>       sends an event of the log once more
npm run notices -- pump <owner>                                    sends what waits now, to receivers that are away too
npm run notices -- drop <owner> --yes                              deletes webhooks, deliveries and log;
                                                                   without --yes says what there is
An owner is c_<customer> or t_<id of the tenant>.
With --url <service> --reason <text> the service itself does: all but listen.
Local by default (LOCAL_DIR); set DATA_STORAGE__tableServiceUri, DATA_STORAGE__queueServiceUri and PUBLIC_URL for Azure.`;

const members = ['owner', 'webhook', 'sequence'] as const;
/** How many of them each command takes. */
const counts: Readonly<Record<string, number>> = {
  ...{ list: 1, pump: 1, drop: 1, show: 2, disable: 2, enable: 2, redeliver: 3 },
};

/** The command as the service knows it; a drop without `--yes` changes nothing. @throws Error with the usage */
export function noticesByUrl([name = '', ...rest]: readonly string[]): RemoteCommand {
  const isSure = name === 'drop' && rest.at(-1) === '--yes';
  const values = isSure ? rest.slice(0, -1) : rest;
  const count = Object.hasOwn(counts, name) ? counts[name] : undefined;
  if (values.length !== count) throw new Error(usage);
  const target = Object.fromEntries(members.slice(0, count).map((member, at) => [member, values[at] ?? '']));
  if (name !== 'drop') return { command: `notices.${name}`, target };
  const asked = { command: 'notices.drop', target: { ...target, confirm: values[0] ?? '' } };
  return isSure ? asked : { ...asked, dryRun: true };
}

const resultOf = (end: StepEnd): unknown => (end.isDone ? end.result : end);

/** Runs one command of an operator on storage. @returns what to print @throws Error with a text for the operator */
export async function runNoticeCommand(own: readonly string[], open: () => NoticeCommandPorts): Promise<unknown> {
  const asked = noticesByUrl(own);
  // What the audit asks for is no matter of the form.
  const form = { ...asked, reason: 'Given on the storage itself.' };
  const faults = [...faultsOf(CommandBody, form), ...commandFaults(form)].map(({ msg }) => msg);
  if (faults.length > 0) throw new Error(`${faults.join('; ')}.\n${usage}`);
  const command = noticeCommands[asked.command as keyof typeof noticeCommands];
  // Checked above: it has what the command needs.
  const target = asked.target as unknown as CommandTarget;
  const ports = open();
  const seen = await command.look(ports, target);
  if (asked.dryRun === true) return { wouldDrop: seen, next: 'Add --yes to delete it; nothing brings it back.' };
  if ('step' in command) return resultOf(await command.step(ports, target, undefined));
  return command.run === undefined ? seen : command.run(ports, target, '');
}
