// The floors of the house: a file imports from its own floor and from those below, never from one above.

/** Folders of `shared/` by floor, the lowest first; `functions/` and `shared/services.ts` stand on top of all. */
export const floors = [
  ['assets', 'errors', 'telemetry', 'validation', 'worker'],
  ['geo', 'raster', 'storage'],
  ['jobs', 'work'],
  [
    ...['auth', 'boundary', 'customers', 'dataManager', 'enrollments', 'gdd', 'imagery', 'insights'],
    ...['licence', 'limits', 'smartBoundary', 'tenants', 'weather'],
  ],
  ['backup', 'canary', 'console', 'http', 'triggers'],
  ['services'],
];

/** Files that still import from a floor above. The list may only become shorter. */
export const breaches = [
  'shared/config.ts',
  'shared/http/handleRequest.ts',
  'shared/http/route.ts',
  'shared/triggers/queueFunction.ts',
  'shared/triggers/runtime.ts',
  'shared/triggers/surroundings.ts',
  'shared/triggers/timerFunction.ts',
  'shared/worker/tasks.ts',
];

/** Files right in `shared/` that stand higher than the lowest floor, where all others of them stand. */
const higherFiles = ['shared/answer.ts', 'shared/readiness.ts', 'shared/services.ts'];

const filesOf = (floor) => [
  ...floors[floor].map((folder) => `shared/${folder}/**/*.ts`),
  ...(floor === 0 ? ['shared/*.ts'] : []),
];

/** The linter's blocks that hold the floors. */
export function floorBlocks() {
  return floors.slice(0, -1).map((_, floor) => {
    const above = floors.slice(floor + 1).flat();
    const group = {
      regex: `^\\.{1,2}/(?:\\.\\./)*(?:${above.join('|')})(?:/|\\.js$)`,
      message: 'This lies on a floor above: see tools/check/floors.mjs.',
    };
    return {
      files: filesOf(floor),
      ignores: [...breaches, ...higherFiles],
      rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [group] }] },
    };
  });
}
