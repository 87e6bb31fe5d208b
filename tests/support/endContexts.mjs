// Runs before each test file. A store of what belongs to a request (AsyncLocalStorage) is never let go once it was used:
// up to Node 22 every promise of the process visits all of them. Each test file has modules of its own and so a store of
// its own, and a worker that has run a hundred files would be many times slower at promises, and full of memory.
import { AsyncLocalStorage } from 'node:async_hooks';

const USED = Symbol.for('tests: stores in use');

function remembering() {
  const used = new Set();
  const { run } = AsyncLocalStorage.prototype;
  AsyncLocalStorage.prototype.run = function (...call) {
    used.add(this);
    return run.apply(this, call);
  };
  return used;
}

// The class is the same for all files of a worker.
const used = (AsyncLocalStorage[USED] ??= remembering());
for (const store of used) store.disable();
used.clear();
