// What the deployment programs need of the world: other programs, the network, the time. Tests hand in their own.
import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Another program that failed: what it said is what decides whether it is asked again. */
export class ProgramError extends Error {
  constructor(command, said) {
    super(`${command} failed:\n${said.trim()}`);
    this.said = said;
  }
}

/** `az` has a subscription of its own choice, which need not be the one that azd asked for. */
const withSubscription = (program, args, { AZURE_SUBSCRIPTION_ID: id }) =>
  program === 'az' && id ? [...args, '--subscription', id] : args;

/** Runs a program to its end. `az` and `npm` are scripts on Windows, which want a shell. @returns what it printed */
function run(program, args, env = {}) {
  const options = { encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 64 << 20 };
  const given = withSubscription(program, args, options.env);
  const isScript = process.platform === 'win32' && program !== 'node';
  const words = isScript ? given.map((word) => `"${word.replaceAll('"', '\\"')}"`) : given;
  const file = program === 'node' ? process.execPath : program;
  const { status, error, stdout, stderr } = spawnSync(file, words, { ...options, shell: isScript });
  if (error !== undefined) throw new ProgramError(`${program}`, `It could not be started: ${error.message}`);
  if (status !== 0) throw new ProgramError(`${program} ${args.slice(0, 4).join(' ')}`, `${stderr}\n${stdout}`);
  return stdout.trim();
}

/** The real ones. */
export const realPorts = {
  env: process.env,
  run,
  fetch,
  sleep: (ms) => wait(ms),
  now: () => Date.now(),
  log: (line) => console.log(line),
  warn: (line) => console.error(line),
};

/** The same ports with more in their environment, and in that of the programs that they run. */
export const withVariables = (ports, variables) => ({
  ...ports,
  env: { ...ports.env, ...variables },
  run: (program, args, env) => ports.run(program, args, { ...variables, ...env }),
});

/** Roles of a new identity, and of a person, take up to half an hour to work on Azure. */
export const isNotYetAllowed = (error) =>
  /\b403\b|Forbidden|AuthorizationPermissionMismatch|AuthorizationFailure|InaccessibleStorage|is not authorized/i.test(
    `${error?.said ?? error?.message}`,
  );

/**
 * Asks again and again while the answer is an error that passes.
 *
 * @param passes tells from the error whether to ask once more
 */
export async function withPatience({ sleep, now, log }, attempt, { passes, minutes, seconds = 30, waitingFor }) {
  const until = now() + minutes * 60_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!passes(error)) throw error;
      if (now() >= until) {
        throw new Error(`${waitingFor}: not within ${minutes} minutes. ${error.message}`, { cause: error });
      }
    }
    log(`${waitingFor}: the next attempt is in ${seconds} seconds.`);
    await sleep(seconds * 1_000);
  }
}

/** Runs the program when its file is what node was started with; an error is one text, without a stack. */
export async function runAsProgram(url, program) {
  if (url !== pathToFileURL(process.argv[1] ?? '').href) return;
  try {
    await program(realPorts, process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
