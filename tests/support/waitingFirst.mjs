// Order of the test files: those that wait for the service begin first, so that at the end no worker waits alone.
import Sequencer from '@jest/test-sequencer';

export default class WaitingFirst extends Sequencer {
  sort(tests) {
    const waits = ({ context }) => (context.config.displayName?.name === 'api' ? 0 : 1);
    return super.sort(tests).sort((a, b) => waits(a) - waits(b));
  }
}
