// The blocks of shell of a page, run as they are written by bash. Programs are stand-ins that write down what they were
// asked, and print what the next command takes; what the reader fills in is known by name.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variablesOf } from '../../../infra/deploy/outputs.mjs';
import { outputs } from './standIn.js';

/** What a reader knows that no program prints. */
export const placeholders: Readonly<Record<string, string>> = {
  ...{ tid: '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11', customer: 'contoso', 'key id': 'key1', user: 'ada@contoso.com' },
  // Said in comments, or by the tenant's own administrator.
  ...{ 'client id': 'client', role: 'Jobs.Read', 'its tenant': 'b7d2c1aa-55e0-4c7e-9d0a-1f6f4e0a9c33' },
  ...{
    owner: 'c_contoso',
    'party id': '5e0d1c1e-2f7a-4c0b-9a54-1f5f0b3f7a10',
    partyId: '5e0d1c1e-2f7a-4c0b-9a54-1f5f0b3f7a10',
  },
};

/** @throws Error for one that nothing explains */
export const filled = (text: string): string =>
  text.replaceAll(/<([a-z][\w ]*)>/gi, (_, name: string) => {
    const value = placeholders[name];
    if (value === undefined) throw new Error(`<${name}> has no source`);
    return value;
  });

const exported = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `echo "export ${name}='${value}'"`)
    .join('; ');

const registered = { TOKEN_AUDIENCE: 'audience', TEST_CLIENT_ID: 'client', BUDGET_START: '2026-11-01' };

/**
 * Stand-ins; a command is written down with US between its words and RS behind it, in one write: the two ends of a pipe
 * write at the same time.
 */
const prelude = `
set -eu
note() { local IFS=$'\\x1f'; printf '%s\\x1f\\x1e' "$*" >&9; }
az() { note az "$@"; case "$*" in *"secret show"*) echo '{"1":"key"}';; *) echo value;; esac; }
gh() { note gh "$@"; }
azd() { note azd "$@"; }
curl() { note curl "$@"; }
sleep() { :; }
npm() { note npm "$@"; case "$*" in
  *"customers -- list"*) echo '[{"customer":"contoso"}]';;
  *"customers -- create"*) echo '{"apiKey":"a-key"}';; esac; }
node() { note node "$@"; case "$*" in
  *outputs.mjs*) ${exported(variablesOf('rg-fields-prod', outputs))};;
  *register.mjs*) ${exported(registered)};;
  -pe*) command node "$@";; esac; }
export GROUP=rg-fields-prod PREVIOUS_PACKAGE=0000
`;

/** One command of a page, with the roles that the page says its reader needs. */
export interface PageCommand {
  readonly words: readonly string[];
  readonly roles: readonly string[];
}

/**
 * Runs a page from its first block to its last. A block that begins with `# needs <role>, …` is for who has these, too.
 *
 * @param roles of the page's reader
 */
export function commandsOf(text: string, roles: readonly string[]): readonly PageCommand[] {
  const blocks = [...text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```/gm)].map(([, indent = '', block = '']) =>
    filled(block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
  );
  const log = join(mkdtempSync(join(tmpdir(), 'page-')), 'log');
  const said = (block: string): string => /^# needs (.+)$/m.exec(block)?.[1] ?? '';
  const script = blocks.map((block) => `note needs '${said(block)}'\n${block}`).join('\n');
  writeFileSync(log, '');
  const { status, stderr } = spawnSync('bash', ['-c', `exec 9>>"${log}"\n${prelude}\n${script}`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`A block of the page fails: ${stderr}`);
  let more: readonly string[] = [];
  return readFileSync(log, 'utf8')
    .split('\x1e')
    .map((line) => line.split('\x1f').slice(0, -1))
    .filter((words) => words.length > 0)
    .flatMap((words) => {
      if (words[0] !== 'needs') return [{ words, roles: [...roles, ...more] }];
      more = (words[1] ?? '').split(', ').filter((role) => role !== '');
      return [];
    });
}
