import { searchGeometry } from '../../../shared/farm/wire/fieldGeometry.js';
import { getLand } from '../../../shared/farm/land/getLand.js';
import { listLand } from '../../../shared/farm/operations/listLand.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { removeLand } from '../../../shared/farm/operations/removeLand.js';
import { by, fieldOf, newField, partyIn, squareOf, type FarmBench, type FarmMeasure } from './measure.js';

const PAGE = 50;

const readField: FarmMeasure = {
  what: 'read a field',
  most: 1,
  prepare: (bench, round) =>
    Promise.resolve(() => getLand(bench)(fieldOf(bench, partyIn(bench, round), `field-${round % 100}`))),
};

const createField: FarmMeasure = {
  what: 'create a field',
  most: 2,
  prepare: (bench, round) => {
    const body = { name: 'New', geometry: squareOf(round) };
    return Promise.resolve(() => putLand(bench)(newField(bench, round), { body, by }));
  },
};

const change = (what: string, landOf: (bench: FarmBench) => FarmBench['land'], most?: number): FarmMeasure => ({
  what,
  ...(most === undefined ? {} : { most }),
  prepare: async (bench, round) => {
    const key = newField(bench, round);
    await putLand(bench)(key, { body: { name: 'Old' }, by });
    const ports = { ...bench, land: landOf(bench) };
    return () => putLand(ports)(key, { body: { name: 'New' }, by });
  },
});

const deleteField: FarmMeasure = {
  what: 'delete a field',
  prepare: async (bench, round) => {
    const key = newField(bench, round);
    await putLand(bench)(key, { body: {}, by });
    return () => removeLand(bench)(key, {});
  },
};

const listOfParty: FarmMeasure = {
  what: 'list 50 fields of a party',
  most: 3,
  prepare: (bench, round) =>
    Promise.resolve(() =>
      listLand(bench)({ kind: 'field', tenant: bench.tenant, partyId: partyIn(bench, round) }, { size: PAGE }),
    ),
};

const listOfTenant: FarmMeasure = {
  what: 'list 50 fields of the tenant, from the middle of a party on',
  most: 3,
  prepare: (bench, round) => {
    const after = { party: partyIn(bench, round), row: 'field-80' };
    return Promise.resolve(() => listLand(bench)({ kind: 'field', tenant: bench.tenant }, { after, size: PAGE }));
  },
};

const searchBox: FarmMeasure = {
  what: 'search a box in a party of 1,000 fields',
  most: 2,
  prepare: (bench) => {
    const meets = searchGeometry(squareOf(507));
    const scope = { kind: 'field', tenant: bench.tenant, partyId: bench.large } as const;
    return Promise.resolve(async () => {
      const { items } = await listLand(bench)(scope, { meets, size: PAGE });
      if (items.length !== 1) throw new Error(`${items.length} fields were found.`);
    });
  },
};

/** The calls of the API. */
export const calls: readonly FarmMeasure[] = [
  ...[readField, createField],
  change('change a field that the process knows', ({ land }) => land, 3),
  // It takes the field for a new one at first.
  change('change a field that the process has never seen', ({ fresh }) => fresh()),
  // A deleted field leaves its row until it is swept up: last.
  ...[listOfParty, listOfTenant, searchBox, deleteField],
];
