/** One program of the recipe, and the steps whose output it reads. */
export interface Step {
  /** Also the folder of its output. */
  readonly name: string;
  readonly needs: readonly string[];
  /** A TypeScript or Python program of this folder, and its arguments. */
  readonly program: string;
  readonly arguments: readonly string[];
}

/** What the recipe makes, and where. */
export interface RecipeOptions {
  readonly out: string;
  /** Of the model, such as 2.0.0. */
  readonly version: string;
  /** Of the scenes and training steps, 0–1: with a small share every program runs within minutes, for nothing else. */
  readonly share: number;
}

/** Networks that tables are made with: the first state, the last, and mostly the mean, which ships. */
const tables = ['early', 'second', 'mean', 'mean', 'mean', 'mean', 'mean', 'mean', 'mean', 'mean'] as const;
const scenesPerTable = 30;
const firstTableScene = 1_000_000;

/** The first training is stopped while its rate is high; the second begins with its weights, and both are averaged. */
const trainingSteps = { planned: 7000, early: 2200, second: 6500 };

/**
 * The recipe of the model that ships, each step after those it needs. Scenes follow from their numbers (`--first`),
 * trainings from their seeds, rankers from theirs: with the same versions of the libraries the weights are the same.
 */
export function recipeOf(options: RecipeOptions): Step[] {
  const { out, version, share } = options;
  const made = tables.map((state, k) => tableStep(k, `${state}-folded`, options));
  return [
    sceneStep('calendar', { first: 100_000, palettes: 0 }, options),
    sceneStep('palettes', { first: 110_000, palettes: 1 }, options),
    ...trainingOf(options),
    exportStep('early-folded', ['early'], out),
    exportStep('second-folded', ['second'], out),
    exportStep('mean-folded', ['early', 'second'], out),
    ...made,
    {
      name: 'ranker',
      needs: made.map(({ name }) => name),
      program: 'fit_ranker.py',
      arguments: [
        ...['--out', `${out}/ranker/ranker.json`, '--parity', `${out}/ranker`],
        ...made.map(({ name }) => `${out}/${name}`),
      ],
    },
    {
      name: 'model',
      needs: ['mean-folded', 'ranker'],
      program: 'packModel.ts',
      arguments: [
        ...['--version', version, '--ranker', `${out}/ranker/ranker.json`, '--out', `${out}/model`],
        `${out}/mean-folded/network.bin`,
      ],
    },
    {
      name: 'calibration',
      needs: ['model'],
      program: 'calibrate.ts',
      arguments: [
        ...['--model', `${out}/model`, '--out', `${out}/calibration/held-out.jsonl`],
        ...['--count', shareOf(60, share)],
      ],
    },
  ];
}

function shareOf(count: number, share: number): string {
  return String(Math.max(4, Math.round(count * share)));
}

function sceneStep(
  name: string,
  { first, palettes }: { readonly first: number; readonly palettes: number },
  { out, share }: RecipeOptions,
): Step {
  const which = ['--first', String(first), '--count', shareOf(640, share), '--palettes', String(palettes)];
  return { name, needs: [], program: 'trainingScenes.ts', arguments: ['--out', `${out}/${name}`, ...which] };
}

function trainingOf({ out, share }: RecipeOptions): Step[] {
  const weights = (name: string): string => `${out}/${name}/network.pt`;
  const step = (name: string, needs: readonly string[], scenes: readonly string[], rest: readonly string[]): Step => ({
    name,
    needs: [...scenes, ...needs],
    program: 'train.py',
    arguments: ['--scenes', ...scenes.map((folder) => `${out}/${folder}`), '--out', weights(name), ...rest],
  });
  const { planned, early, second } = trainingSteps;
  const until = ['--steps', shareOf(planned, share), '--until', shareOf(early, share)];
  const from = ['--start', weights('early'), '--seed', '2', '--steps', shareOf(second, share)];
  return [step('early', [], ['calendar'], until), step('second', ['early'], ['calendar', 'palettes'], from)];
}

function exportStep(name: string, states: readonly string[], out: string): Step {
  const files = states.map((state) => `${out}/${state}/network.pt`);
  return {
    name,
    needs: states,
    program: 'export.py',
    arguments: ['--out', `${out}/${name}/network.bin`, '--parity', `${out}/${name}`, ...files],
  };
}

function tableStep(index: number, network: string, { out, share }: RecipeOptions): Step {
  const name = `table-${index + 1}`;
  const first = firstTableScene + index * scenesPerTable;
  return {
    name,
    needs: [network],
    program: 'rankerTable.ts',
    arguments: [
      ...['--network', `${out}/${network}/network.bin`, '--out', `${out}/${name}`],
      ...['--first', String(first), '--count', shareOf(scenesPerTable, share)],
    ],
  };
}
