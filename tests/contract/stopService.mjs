// Ends what startService.mjs started, and waits for it.
import { once } from 'node:events';
import { rmSync } from 'node:fs';

export default async function stopService() {
  const { child, directory } = globalThis.localService;
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  rmSync(directory, { recursive: true, force: true });
}
