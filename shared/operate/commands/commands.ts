import type { CommandName } from './commandBody.js';
import { backupNow, customersPurge, tenantsPurge, workRun, type LongCommand } from './longCommands.js';
import { noticeCommands } from './noticeCommands.js';
import {
  drainEnd,
  drainStart,
  jobsRedrive,
  jobsShow,
  keysList,
  keysRevoke,
  tenantsHold,
  tenantsRelease,
  who,
  workDrop,
  workList,
  workRetry,
  type QuickCommand,
} from './quickCommands.js';

export type Command = QuickCommand | LongCommand;

/** What each command does. */
export const commands: Readonly<Record<CommandName, Command>> = {
  'keys.list': keysList,
  'keys.revoke': keysRevoke,
  'tenants.hold': tenantsHold,
  'tenants.release': tenantsRelease,
  'tenants.purge': tenantsPurge,
  'customers.purge': customersPurge,
  who,
  'work.list': workList,
  'work.retry': workRetry,
  'work.drop': workDrop,
  'work.run': workRun,
  'jobs.show': jobsShow,
  'jobs.redrive': jobsRedrive,
  ...noticeCommands,
  'backup.now': backupNow,
  'drain.start': drainStart,
  'drain.end': drainEnd,
};
