// The infrastructure of one release: whether it has changed, and the change.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findParameters } from './outputs.mjs';
import { requireRemembered } from './remembered.mjs';

const sizes = ['dev', 'small', 'large'];
const folder = 'build/azure';
/** Tag of the resource group: the hash of what was deployed last, or that a deployment has begun and not ended well. */
const tag = 'infrastructure';

/** Variables that the parameter file reads. */
export const variablesRead = (size) => {
  if (!sizes.includes(size)) throw new Error(`SIZE is ${size}; it must be ${sizes.join(', ')}.`);
  const text = readFileSync(new URL('../azure/main.bicepparam', import.meta.url), 'utf8');
  return [...new Set([...text.matchAll(/readEnvironmentVariable\('(\w+)'/g)].map(([, name]) => name))];
};

/** Compiles with the CLI of infra/build/bicep.csproj, so that no other version of it decides. */
function compiled({ run, env }, size) {
  const args = ['infra/build/compileBicep.mjs', '--print', 'infra/azure/main.bicepparam'];
  const { templateJson, parametersJson } = JSON.parse(run('node', args, { ...env, SIZE: size }));
  mkdirSync(folder, { recursive: true });
  const files = { template: join(folder, 'template.json'), parameters: join(folder, 'parameters.json') };
  writeFileSync(files.template, templateJson);
  writeFileSync(files.parameters, parametersJson);
  const { parameters } = JSON.parse(parametersJson);
  const what = ['--template-file', files.template, '--parameters', `@${files.parameters}`];
  return { what, parameters, hash: hashOf(templateJson, parameters) };
}

/** Of all that decides what is made; the commit does not, which every release changes. */
function hashOf(templateJson, parameters) {
  const { labels, ...rest } = parameters;
  const counted = { ...rest, labels: { ...labels?.value, commit: '' } };
  return createHash('sha256').update(templateJson).update(JSON.stringify(counted)).digest('hex');
}

/** What Azure says beforehand, to be read; it can't see into most modules, so it decides nothing. */
function tellDifference({ run, log }, what) {
  const args = ['deployment', 'group', 'what-if', ...what, '--exclude-change-types', 'NoChange', 'Ignore'];
  try {
    log(`Infrastructure: what Azure can tell beforehand.\n${run('az', args)}`);
  } catch (error) {
    log(`Infrastructure: Azure can't tell beforehand what would change: ${error.message}`);
  }
}

/**
 * Deploys the infrastructure: where template or parameters are others than those that the tag of the group names, or always.
 *
 * @returns {boolean} whether it was deployed
 */
export function applyInfrastructure(ports, { group, size, commit, infrastructure, given }) {
  if (infrastructure === 'never') return false;
  const { run, log } = ports;
  const { what, parameters, hash } = compiled(ports, size);
  const { id, tags } = JSON.parse(run('az', ['group', 'show', '--name', group, '--output', 'json']));
  if (infrastructure === 'changed' && tags?.[tag] === hash) {
    log('Infrastructure: templates and variables are those that were deployed last, so it stays.');
    return false;
  }
  requireRemembered(findParameters(ports, group), parameters, { given, names: variablesRead(size) });
  const place = ['--resource-group', group];
  tellDifference(ports, [...what, ...place]);
  const mark = (value) =>
    run('az', [
      'tag',
      'update',
      '--resource-id',
      id,
      '--operation',
      'Merge',
      '--tags',
      `${tag}=${value}`,
      '--output',
      'none',
    ]);
  mark('changing');
  const name = `service-${commit.slice(0, 12)}`;
  run('az', ['deployment', 'group', 'create', ...what, ...place, '--name', name, '--output', 'none']);
  mark(hash);
  log('Infrastructure: deployed.');
  return true;
}
