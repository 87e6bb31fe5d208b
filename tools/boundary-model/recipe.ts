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
  /** The boundary network that ships is built on, in place of one that is trained anew. */
  readonly keepsNetwork: boolean;
}

/** Scenes of a ranker's table; every other table is made of hard negatives. */
const tables = 16;
const scenesPerTable = 11;
const pointsPerScene = 14;
const firstTableScene = 1_000_000;

/** The first training is stopped while its rate is high; the second begins with its weights, and both are averaged. */
const trainingSteps = { planned: 7000, early: 2200, second: 6500 };

/** The mask network's training: the second stage sees scenes of its own and begins with the weights of the first. */
const maskStages = [
  { scenes: 1400, first: 200_000, steps: 2700, rate: '0.003' },
  { scenes: 700, first: 300_000, steps: 6800, rate: '0.002' },
] as const;

/** Weight of the pairs in the ranker's loss. */
const pairs = '0.1';

/** What ships: its ranker tells which points of a table deserve a close-up. */
const shipped = 'shared/boundary/assets';

/**
 * The recipe of a model, each step after those it needs. Scenes follow from their numbers (`--first`), trainings from their
 * seeds, rankers from theirs: with the same versions of the libraries the weights are the same.
 */
export function recipeOf(options: RecipeOptions): Step[] {
  const { out, version, share, keepsNetwork } = options;
  const network = keepsNetwork ? `${shipped}/boundary-network.bin` : `${out}/mean-folded/network.bin`;
  const needsNetwork = keepsNetwork ? [] : ['mean-folded'];
  const mask = `${out}/mask-folded/mask.bin`;
  const pack = (name: string, needs: readonly string[], rankers: readonly [string, string]): Step => ({
    name,
    needs: [...needsNetwork, 'mask-folded', ...needs],
    program: 'packModel.ts',
    arguments: [
      ...['--version', version, '--ranker', rankers[0], '--small-ranker', rankers[1]],
      ...['--mask', mask, '--out', `${out}/${name}`, network],
    ],
  });
  const made = Array.from({ length: tables }, (_, index) => tableStep(index, options));
  return [
    ...(keepsNetwork ? [] : networkSteps(options)),
    ...maskSteps(network, needsNetwork, options),
    pack('candidates', [], [shipped, shipped]),
    ...made,
    rankerStep('ranker', ['--without-asked'], made, options),
    rankerStep('small-ranker', [], made, options),
    pack('model', ['ranker', 'small-ranker'], [`${out}/ranker/ranker.json`, `${out}/small-ranker/ranker.json`]),
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
  return String(Math.max(2, Math.round(count * share)));
}

/** The boundary network: scenes, two trainings and their mean. */
function networkSteps(options: RecipeOptions): Step[] {
  const { out } = options;
  return [
    sceneStep('calendar', { first: 100_000, palettes: 0 }, options),
    sceneStep('palettes', { first: 110_000, palettes: 1 }, options),
    ...trainingOf(options),
    {
      name: 'mean-folded',
      needs: ['early', 'second'],
      program: 'export.py',
      arguments: [
        ...['--out', `${out}/mean-folded/network.bin`, '--parity', `${out}/mean-folded`],
        ...['early', 'second'].map((state) => `${out}/${state}/network.pt`),
      ],
    },
  ];
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

/** The mask network: scenes and a training for each stage, each beginning where the one before it ended. */
function maskSteps(network: string, needs: readonly string[], { out, share }: RecipeOptions): Step[] {
  const stages = maskStages.flatMap(({ scenes, first, steps, rate }, index): Step[] => {
    const [points, name, before] = [`points-${index + 1}`, `mask-${index + 1}`, `mask-${index}`];
    const start = index === 0 ? [] : ['--start', `${out}/${before}/mask.pt`];
    return [
      {
        name: points,
        needs: [],
        program: 'pointScenes.ts',
        arguments: ['--out', `${out}/${points}`, '--first', String(first), '--count', shareOf(scenes, share)],
      },
      {
        name,
        needs: [...needs, points, ...(index === 0 ? [] : [before])],
        program: 'train_mask.py',
        arguments: [
          ...['--network', network, '--scenes', `${out}/${points}`, '--out', `${out}/${name}/mask.pt`, ...start],
          ...['--steps', shareOf(steps, share), '--learning-rate', rate, '--seed', String(index + 1)],
        ],
      },
    ];
  });
  const last = `mask-${maskStages.length}`;
  const folded: Step = {
    name: 'mask-folded',
    needs: [last],
    program: 'export_mask.py',
    arguments: ['--out', `${out}/mask-folded/mask.bin`, '--parity', `${out}/mask-folded`, `${out}/${last}/mask.pt`],
  };
  return [...stages, folded];
}

function rankerStep(name: string, kind: readonly string[], made: readonly Step[], { out }: RecipeOptions): Step {
  const folders = made.map((table) => table.name);
  return {
    name,
    needs: folders,
    program: 'fit_ranker.py',
    arguments: [
      ...['--pairs', pairs, ...kind, '--out', `${out}/${name}/ranker.json`, '--parity', `${out}/${name}`],
      ...folders.map((folder) => `${out}/${folder}`),
    ],
  };
}

function tableStep(index: number, { out, share }: RecipeOptions): Step {
  const name = `table-${index + 1}`;
  const first = firstTableScene + index * scenesPerTable;
  return {
    name,
    needs: ['candidates'],
    program: 'rankerTable.ts',
    arguments: [
      ...['--model', `${out}/candidates`, '--out', `${out}/${name}`, '--points', String(pointsPerScene)],
      ...['--first', String(first), '--count', shareOf(scenesPerTable, share)],
      ...(index % 2 === 0 ? [] : ['--disturbed']),
    ],
  };
}
