// The variables of an environment in GitHub: node infra/deploy/variables.mjs prints a command for each that the parameter
// files read and your shell has, for the environment ENVIRONMENT of REPOSITORY; what is missing stands in a comment.
import { smokeVariables } from './codeOfRelease.mjs';
import { variablesRead } from './infrastructure.mjs';
import { runAsProgram } from './ports.mjs';
import { passing } from './remembered.mjs';

const ofPipeline = ['SIZE', 'AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'AZURE_SUBSCRIPTION_ID', 'AZURE_RESOURCE_GROUP'];

/** Lines for the shell, by the variables that are exported in it. */
export function printVariables({ env, log }) {
  const { ENVIRONMENT, REPOSITORY, SIZE } = env;
  if (!ENVIRONMENT || !REPOSITORY || !SIZE) throw new Error('Export ENVIRONMENT, REPOSITORY and SIZE first.');
  const names = [...ofPipeline, ...variablesRead(SIZE), ...smokeVariables].filter((name) => !passing.includes(name));
  for (const name of new Set(names)) {
    const value = env[name]?.replaceAll("'", `'\\''`);
    log(
      value
        ? `gh variable set ${name} --repo ${REPOSITORY} --env ${ENVIRONMENT} --body '${value}'`
        : `# ${name} is not set`,
    );
  }
}

await runAsProgram(import.meta.url, printVariables);
