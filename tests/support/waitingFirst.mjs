// Order of the test files: the longest, then those that wait for the service, so that at the end no worker waits alone.
import Sequencer from '@jest/test-sequencer';

/** Each takes minutes in the full run, and little of anything but one processor. */
const LONGEST = ['tests/work/model/kernelModel.test.ts', 'tests/local/start.test.ts'];

export default class WaitingFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path, context }) => {
      if (LONGEST.some((name) => path.replaceAll('\\', '/').endsWith(name))) return 0;
      return context.config.displayName?.name === 'api' ? 1 : 2;
    };
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
