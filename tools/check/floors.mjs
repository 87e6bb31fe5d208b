// The floors of the house: a file imports from its own room and from the rooms on lower floors; never from a room above,
// nor from another room of its own floor. The same holds for the folders inside a room.
import { posix } from 'node:path';

/** The rooms of `shared/` by floor, the lowest first; `functions/` stands on top of all. */
export const floors = [
  ['kit'],
  ['geo', 'storage'],
  ['raster', 'work', 'access'],
  ['notices'],
  ['jobs', 'http'],
  ['gdd', 'scenes'],
  ['boundary', 'enrollments'],
  ['imagery', 'farm'],
  ['operate'],
  ['wiring'],
];

/** The folders of each room in the same way; '.' is what lies right in the room. */
export const inside = {
  kit: [
    ['.', 'answer', 'errors'],
    ['json', 'outbound', 'telemetry', 'validation'],
  ],
  geo: [['shapes'], ['soundness', 'grid']],
  storage: [['.'], ['azure']],
  raster: [['tiff'], ['read', 'write', 'mask']],
  work: [['item'], ['lanes'], ['.'], ['upkeep']],
  access: [['auth', 'tenants'], ['customers', 'licence'], ['rates']],
  notices: [['log'], ['secrets', 'eventGrid'], ['webhooks'], ['sending'], ['managing']],
  jobs: [['.', 'dataManager'], ['steps'], ['insight', 'operations']],
  http: [['pages', 'request', 'answers'], ['.'], ['openApi', 'triggers']],
  gdd: [
    ['weather'],
    ['weather/cache'],
    ['days', 'weather/providers', 'weather/terrain'],
    ['form'],
    ['outlook'],
    ['gather', 'stages'],
    ['record', 'chart'],
    ['.'],
  ],
  boundary: [
    ['window', 'form'],
    ['outline', 'network', 'regions', 'stack'],
    ['candidates'],
    ['predict'],
    ['record'],
    ['job'],
  ],
  scenes: [['.', 'place', 'layers'], ['item'], ['stac'], ['pixels'], ['library']],
  enrollments: [['record'], ['fields'], ['upload'], ['ingest'], ['submission'], ['lists']],
  imagery: [['interest', 'products', 'records'], ['documents'], ['units'], ['discovery'], ['.']],
  farm: [
    ['land', 'files'],
    ['wire', 'shapefile'],
    ['insights'],
    ['upkeep', 'operations'],
    ['cascade', 'imports'],
    ['erase'],
  ],
  operate: [
    ['.', 'backup', 'canary', 'audit'],
    ['restore', 'commands'],
  ],
  wiring: [['settings', 'beside'], ['clients'], ['areas'], ['.']],
};

/** What a name on a list of floors must not import: all others of its floor and of those above. */
const bannedFor = (list, name) =>
  list
    .slice(list.findIndex((names) => names.includes(name)))
    .flat()
    .filter((other) => other !== name);
const folderOf = (room, sub) => posix.join('shared', room, sub);
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** How a file of one folder names another folder. */
const way = (from, to) => {
  const path = posix.relative(from, to) || '.';
  return escaped(path.startsWith('.') ? path : `./${path}`);
};

/** What each folder must not import, as regular expressions of module names. */
export const bans = floors.flat().flatMap((room) =>
  inside[room].flat().map((sub) => {
    const folder = folderOf(room, sub);
    const rooms = bannedFor(floors, room).map((other) => `${way(folder, folderOf(other, '.'))}/`);
    const subs = bannedFor(inside[room], sub).map((other) => `${way(folder, folderOf(room, other))}/[^/]+\\.js$`);
    return { folder, regex: `^(?:${[...rooms, ...subs].join('|') || '(?!)'})` };
  }),
);

/** The linter's blocks that hold the floors: one for each folder, so that none replaces another. */
export const floorBlocks = () =>
  bans.map(({ folder, regex }) => ({
    files: [`${folder}/*.ts`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex, message: 'This lies on this floor or above: see tools/check/floors.mjs.' }] },
      ],
    },
  }));
