// The floors of the house: a file imports from its own floor and from those below, never from one above.

/** Folders and files right in `shared/`, by floor, the lowest first; `functions/` stands on top of all. */
export const floors = [
  ['assets', 'errors', 'telemetry', 'validation'],
  ['geo', 'kit', 'raster', 'storage'],
  ['jobs', 'notices', 'work'],
  [
    ...['auth', 'boundary', 'customers', 'dataManager', 'enrollments', 'eventGrid', 'farm', 'gdd'],
    ...['imagery', 'insights', 'licence', 'limits', 'smartBoundary', 'tenants', 'weather', 'webhooks'],
  ],
  ['backup', 'canary', 'console', 'operate'],
  ['config', 'services', 'worker'],
  ['http', 'triggers'],
];

const namesOf = (names) => names.flatMap((name) => [`shared/${name}/**/*.ts`, `shared/${name}.ts`]);

/** The linter's blocks that hold the floors. A file right in `shared/` that no floor names stands on the lowest. */
export function floorBlocks() {
  return floors.slice(0, -1).map((names, floor) => {
    const higher = floors.slice(floor + 1).flat();
    const group = {
      regex: `^\\.{1,2}/(?:\\.\\./)*(?:${higher.join('|')})(?:/|\\.js$)`,
      message: 'This lies on a floor above: see tools/check/floors.mjs.',
    };
    return {
      files: [...namesOf(names), ...(floor === 0 ? ['shared/*.ts'] : [])],
      ignores: floor === 0 ? floors.slice(1).flatMap(namesOf) : [],
      rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [group] }] },
    };
  });
}
