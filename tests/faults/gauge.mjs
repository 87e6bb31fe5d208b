// What tests/load/hostGauge.mjs writes about functions hosts: memory, open handles, how late their event loop is.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Makes a place for the samples. @returns `environment` for the hosts, and `samples()`: the lines by process, longest first */
export function hostGauge() {
  const file = join(mkdtempSync(join(tmpdir(), 'gauge-')), 'samples.jsonl');
  return {
    environment: {
      NODE_OPTIONS: `--import ${pathToFileURL('tests/load/hostGauge.mjs').href}`,
      HOST_GAUGE_FILE: file,
      HOST_GAUGE_GC: '1',
    },
    samples: () => {
      const byProcess = new Map();
      for (const line of existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []) {
        if (!line.endsWith('}')) continue;
        const sample = JSON.parse(line);
        byProcess.set(sample.pid, [...(byProcess.get(sample.pid) ?? []), sample]);
      }
      return [...byProcess.values()].sort((a, b) => b.length - a.length);
    },
  };
}

/** Growth of a figure a minute by least squares. @param samples with `at` in ms since 1970 */
export function slopePerMinute(samples, name) {
  const minutes = samples.map(({ at }) => (at - samples[0].at) / 60_000);
  const values = samples.map((sample) => sample[name]);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [meanMinute, meanValue] = [mean(minutes), mean(values)];
  let [above, below] = [0, 0];
  for (const [index, minute] of minutes.entries()) {
    above += (minute - meanMinute) * (values[index] - meanValue);
    below += (minute - meanMinute) ** 2;
  }
  return below === 0 ? 0 : above / below;
}
