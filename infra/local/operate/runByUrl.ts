import type { ByUrl } from './byUrl.js';
import type { OperatorArguments } from './operatorArguments.js';
import { operatorToken } from './operatorToken.js';
import { remoteCommand, remoteState, type RemoteService } from './remoteCommand.js';

/** Has the service at `url` carry a program's command out. @throws Error with a text for the operator */
export async function runByUrl(
  url: string,
  { reason, isDryRun, own }: OperatorArguments,
  byUrl: ByUrl,
): Promise<unknown> {
  const command = byUrl(own);
  if (command === undefined) {
    throw new Error(
      'The service does not carry this out: it narrows and repairs only. Leave --url out and work on its storage; where that is closed, open it with `npm run reach -- open`.',
    );
  }
  const service: RemoteService = {
    ...{ url, token: operatorToken(url, process.env) },
    say: (line) => {
      process.stderr.write(`${line}\n`);
    },
  };
  if (command.command === 'state') return remoteState(service);
  if (reason === undefined) throw new Error('--reason is missing: say why in 10 to 200 characters, for the audit.');
  if (!isDryRun && command.dryRun !== true) return remoteCommand(service, command, reason);
  const seen = await remoteCommand(service, { ...command, dryRun: true }, reason);
  return { isDryRun: true, command: command.command, seen, next: 'Nothing was done.' };
}
