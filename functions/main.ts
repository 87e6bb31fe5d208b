/** What the host loads: registers every function of the table, and loads the rest when it is needed. */
import type { Manifest } from '../shared/http/triggers/manifest.js';
import { register } from '../shared/wiring/register.js';

/** Filled in by the bundler from the function table. */
declare const FUNCTION_MANIFEST: Manifest;

register(FUNCTION_MANIFEST, async (config) => {
  const [{ createRuntime }, { functionTable }] = await Promise.all([
    import('../shared/wiring/runtime.js'),
    import('./functionTable.js'),
  ]);
  return createRuntime(config, functionTable);
});
