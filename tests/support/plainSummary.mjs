/** Ends the output with one plain line that any reader of a log understands: `N passed, N failed, N skipped`. */
export default class PlainSummary {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    // A suite that could not even start counts as a failure.
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    process.stdout.write(`\n${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped\n`);
  }
}
