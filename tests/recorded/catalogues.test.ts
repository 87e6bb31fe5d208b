import { describe, expect, test } from '@jest/globals';
import type { CatalogueCall } from '../../shared/scenes/stac/catalogueHttpClient.js';
import type { Catalogue } from '../../shared/scenes/imagerySettings.js';
import type { Scene, UnusableScene } from '../../shared/scenes/item/scene.js';
import { isUsable } from '../../shared/scenes/item/sceneOfItem.js';
import { StacClient } from '../../shared/scenes/stac/stacClient.js';
import { scenesFound } from '../support/scenesFound.js';
import { boxPolygon } from '../imagery/builders.js';
import { expectFigures, reasonsOf, type Verdict } from './figures.js';
import { describeGenuine, recordedAnswer, recordedIn, type Recorded } from './genuine.js';
import { unmadeKinds } from './kinds.js';
import { earthSearchItems, pages, planetaryComputerItems, type MadeAnswer } from './made/catalogueAnswers.js';

const QUERY = { area: boxPolygon([0, 0, 1, 1]), from: '2015-01-01', to: '2035-01-01' };

/** The adapter's answer when the catalogue answers with these pages, and what it asked for. */
async function search(catalogue: Catalogue, url: string, answers: readonly unknown[]) {
  const calls: CatalogueCall[] = [];
  const getJson = (call: CatalogueCall): Promise<unknown> => {
    calls.push(call);
    return Promise.resolve(answers[calls.length - 1] ?? { type: 'FeatureCollection', features: [], links: [] });
  };
  const scenes = await scenesFound(new StacClient({ catalogue, url, getJson }), QUERY);
  return { scenes, calls };
}

const onePage = (features: unknown): unknown => ({ type: 'FeatureCollection', features, links: [] });
const verdictOf = (scene: Scene | UnusableScene): Verdict => (isUsable(scene) ? 'read' : scene.fault);
const catalogueOf = ({ source = '' }: Recorded): Catalogue =>
  ['pc', 'planetary-computer'].includes(source) ? 'planetary-computer' : 'earth-search';

/** Whether the whole page is taken as an answer of a search, and by which call it leads on. */
async function pageVerdict(catalogue: Catalogue, page: MadeAnswer): Promise<Verdict> {
  const links = (page['links'] ?? []) as readonly { rel: string; href: string }[];
  const own = links.find(({ rel }) => rel === 'self' || rel === 'root')?.href ?? 'https://catalogue.example/v1/search';
  try {
    const { calls } = await search(catalogue, new URL(own).origin, [page]);
    const isLedOn = links.some(({ rel }) => rel === 'next');
    return calls.length === (isLedOn ? 2 : 1) ? 'read' : `asked ${calls.length} times`;
  } catch (error) {
    return (error as Error).message;
  }
}

const entries = recordedIn('stac');
const genuine = entries.map((entry) => {
  const answer = recordedAnswer('stac', entry.file) as MadeAnswer;
  const features = (entry.kind === 'item' ? [answer] : answer['features']) as readonly MadeAnswer[];
  return { ...entry, catalogue: catalogueOf(entry), answer, features };
});

describeGenuine('answers of catalogues', entries, () => {
  test.each(genuine)('$file is read', async ({ catalogue, features }) => {
    const { scenes } = await search(catalogue, 'https://catalogue.example', [onePage(features)]);
    expect(scenes).toHaveLength(features.length);
    for (const scene of scenes.filter(isUsable)) {
      expect(scene.tile).toMatch(/^\d{2}[C-X][A-Z]{2}$/);
      // What the lattice of fields rests on. South of the equator corners are 40 m off the multiples of 60.
      expect([scene.grid.originX % 20, scene.grid.originY % 20]).toEqual([0, 0]);
      expect(scene.datastripStart).toMatch(/^(\d{8}T\d{6})?$/);
      expect(scene.id).toMatch(new RegExp(`_T?${scene.tile.replace(/^0/, '0?')}_`));
      for (const file of Object.values(scene.files)) expect(file).toMatch(/^https:.*\.tif$/);
    }
  });

  // Six items of a static catalogue name their files without a place; one is of a pipeline, with JPEG 2000 in a bucket.
  test('are all usable but one that was cut down for a test, those of another product, and those whose files can’t be fetched', async () => {
    const all = await Promise.all(
      genuine.map(({ catalogue, features }) => search(catalogue, 'https://catalogue.example', [onePage(features)])),
    );
    const scenes = all.flatMap((one) => one.scenes);
    expectFigures('scenes of catalogues', 'genuine', scenes.map(verdictOf));
    const unusable = scenes.filter((scene) => !isUsable(scene)).map(({ id }) => id);
    expect([...new Set(unusable)].sort()).toEqual([
      'S2A_33TWL_20230815_0_L2A',
      'S2A_33TWM_20230818_0_L2A',
      'S2A_54LWP_20250101_0_L2A',
      'S2B_24MVV_20250731_0_L1C',
      'S2B_24MWV_20250731_0_L1C',
      'S2B_24MXV_20250731_0_L1C',
      'S2B_33TWL_20230810_0_L2A',
      'S2B_33TWM_20230810_0_L2A',
      'S2B_33TWM_20230813_0_L2A',
      'S2B_33TWM_20230820_0_L2A',
      'S2B_5CNL_20221009_0_L2A',
    ]);
  });

  test('lead on from page to page', async () => {
    const recordedPages = genuine.filter(({ kind }) => kind === 'page');
    const verdicts = await Promise.all(recordedPages.map(({ catalogue, answer }) => pageVerdict(catalogue, answer)));
    expectFigures('pages of catalogues', 'genuine', verdicts);
  });

  test.each(['earth-search', 'planetary-computer'])('have no kind of value that made items of %s lack', (catalogue) => {
    const items = genuine.filter((one) => one.catalogue === catalogue).flatMap(({ features }) => features);
    const made = catalogue === 'earth-search' ? earthSearchItems : planetaryComputerItems;
    expect(
      unmadeKinds(
        items,
        made.map(({ item }) => item),
      ),
    ).toEqual([]);
  });
});

describe.each([
  { catalogue: 'earth-search', items: earthSearchItems },
  { catalogue: 'planetary-computer', items: planetaryComputerItems },
] as const)('contract: made items of $catalogue', ({ catalogue, items }) => {
  test.each(items)('$why', async ({ item, fault }) => {
    const { scenes } = await search(catalogue, 'https://catalogue.example', [onePage([item])]);
    expect(scenes.map(verdictOf)).toEqual([fault ?? 'read']);
  });
});

describe('contract: made answers of catalogues', () => {
  test('are read and refused as counted', async () => {
    const found = await Promise.all([
      search('earth-search', 'https://catalogue.example', [onePage(earthSearchItems.map(({ item }) => item))]),
      search('planetary-computer', 'https://catalogue.example', [
        onePage(planetaryComputerItems.map(({ item }) => item)),
      ]),
    ]);
    expectFigures(
      'scenes of catalogues',
      'made',
      found.flatMap(({ scenes }) => scenes.map(verdictOf)),
    );
    const ofPages = await Promise.all(pages.map((one) => pageVerdict(one.catalogue as Catalogue, one.page)));
    expectFigures('pages of catalogues', 'made', ofPages);
    expect(reasonsOf(ofPages)).toEqual({
      'The catalogue sent fewer scenes than it counts.': 1,
      'The catalogue sent no STAC search result.': 1,
      'The next page of a search lies on another host.': 1,
    });
  });
});
