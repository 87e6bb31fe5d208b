// Order of the test files: the longest, then those that wait for the service, each with some of the others behind it. All
// that wait at once would leave the processors idle and the one service busy; at the end no worker waits alone.
import Sequencer from '@jest/test-sequencer';

/** Each takes minutes in the full run, and little of anything but one processor. */
const LONGEST = [
  'tests/boundary/job/ownScenesGolden.test.ts',
  'tests/work/model/kernelModel.test.ts',
  'tests/local/start.test.ts',
  'tests/browser/farms.test.ts',
  'tests/browser/fields.test.ts',
];
/** How many of the others lie between those that wait; the rest comes at the end. */
const SPREAD = 0.75;

export default class WaitingAmongOthers extends Sequencer {
  sort(tests) {
    const isLongest = ({ path }) => LONGEST.some((name) => path.replaceAll('\\', '/').endsWith(name));
    const isWaiting = ({ context }) => context.config.displayName?.name === 'api';
    const sorted = super.sort(tests);
    const rest = sorted.filter((test) => !isLongest(test));
    return [
      ...sorted.filter(isLongest),
      ...spread(
        rest.filter(isWaiting),
        rest.filter((test) => !isWaiting(test)),
      ),
    ];
  }
}

function spread(waiting, others) {
  const between = Math.floor((SPREAD * others.length) / Math.max(1, waiting.length));
  const mixed = waiting.flatMap((test, at) => [test, ...others.slice(at * between, (at + 1) * between)]);
  return [...mixed, ...others.slice(waiting.length * between)];
}
