// The infrastructure of one release: what would change, and the change.
import { mkdirSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sizes = ['dev', 'small', 'large'];
const folder = 'build/azure';

/** Variables that a parameter file reads. */
export const variablesRead = (size) => {
  if (!sizes.includes(size)) throw new Error(`SIZE is ${size}; it must be ${sizes.join(', ')}.`);
  const text = readFileSync(new URL(`../azure/${size}.bicepparam`, import.meta.url), 'utf8');
  return [...new Set([...text.matchAll(/readEnvironmentVariable\('(\w+)'/g)].map(([, name]) => name))];
};

/** Compiles with the CLI of infra/build/bicep.csproj, so that no other version of it decides. */
function compiled({ run, env }, size) {
  const args = ['infra/build/compileBicep.mjs', '--print', `infra/azure/${size}.bicepparam`];
  const { templateJson, parametersJson } = JSON.parse(run('node', args, env));
  mkdirSync(folder, { recursive: true });
  const files = { template: join(folder, 'template.json'), parameters: join(folder, 'parameters.json') };
  writeFileSync(files.template, templateJson);
  writeFileSync(files.parameters, parametersJson);
  return ['--template-file', files.template, '--parameters', `@${files.parameters}`];
}

const isOfTags = ({ path }) => path === 'tags' || path.startsWith('tags.');

/** What cannot be told in advance counts as a change. */
const isChange = ({ changeType, delta }) =>
  changeType === 'Modify'
    ? (delta ?? []).some((part) => !isOfTags(part))
    : !['NoChange', 'Ignore', 'NoEffect'].includes(changeType);

/** Changes of a `what-if` in JSON that are more than tags, as lines. */
export const changesIn = ({ changes }) =>
  changes.filter(isChange).map(({ changeType, resourceId, delta }) => {
    const parts = (delta ?? []).filter((part) => !isOfTags(part)).map(({ path }) => path);
    return `${changeType} ${resourceId.split('/providers/').at(-1)}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
  });

/** @returns {boolean} whether anything was changed */
export function applyInfrastructure(ports, { group, size, commit, infrastructure }) {
  if (infrastructure === 'never') return false;
  const { run, log } = ports;
  const what = [...compiled(ports, size), '--resource-group', group];
  const whatIf = ['deployment', 'group', 'what-if', ...what, '--no-pretty-print', '--output', 'json'];
  const changes = changesIn(JSON.parse(run('az', whatIf)));
  if (changes.length === 0) {
    log('Infrastructure: nothing but tags would change, so it stays.');
    return false;
  }
  log(`Infrastructure: ${changes.length} changes.\n${changes.map((line) => `- ${line}`).join('\n')}`);
  const name = `service-${commit.slice(0, 12)}`;
  run('az', ['deployment', 'group', 'create', ...what, '--name', name, '--output', 'none']);
  return true;
}
