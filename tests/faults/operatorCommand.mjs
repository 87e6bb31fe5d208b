// Commands of operators, on the service of a world.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The command of that program; it returns what is printed. */
export const commandOf =
  (program) =>
  async ({ directory }, ...args) => {
    const env = { ...process.env, LOCAL_DIR: directory };
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return JSON.parse(stdout);
  };

/** What a command that must be refused says; undefined when it was done. */
export const refusalOf = (action) =>
  action().then(
    () => undefined,
    ({ stderr }) => stderr,
  );
