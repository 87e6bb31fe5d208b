// Writes the OpenAPI document of the built app to build/openapi.json and lints it with Redocly's recommended rules.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
const written = run('build/local/openApi.mjs', 'build/openapi.json');
if (written.status !== 0) process.exit(written.status ?? 1);
const redocly = ['redocly', 'lint', '--config', 'infra/build/redocly.yaml', 'build/openapi.json'];
process.exit(run('infra/build/tool.mjs', 'tools/check', ...redocly).status ?? 1);
