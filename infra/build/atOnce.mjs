// Runs scripts of package.json beside each other, as many at a time as there are processors; each one's output comes whole,
// when it has ended. `node infra/build/atOnce.mjs types lint`
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const left = process.argv.slice(2);

/** @returns {Promise<boolean>} whether the script succeeded */
function run(script) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(`${script}: ${code === 0 ? 'no findings' : `failed (${code})`}\n`);
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

async function runSome() {
  let isWell = true;
  for (let script = left.shift(); script !== undefined; script = left.shift()) isWell = (await run(script)) && isWell;
  return isWell;
}

const ends = await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runSome));
process.exit(ends.every(Boolean) ? 0 : 1);
