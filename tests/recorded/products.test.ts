import { expect, test } from '@jest/globals';
import { isUsable, sceneOfItem } from '../../shared/scenes/item/sceneOfItem.js';
import { StacItem } from '../../shared/scenes/item/stacSchemas.js';
import { productVersionOf } from '../../shared/scenes/item/scene.js';
import { productKeyOf, publishedAtOf } from '../../shared/imagery/products/product.js';
import { isValid } from '../../shared/kit/validation/validator.js';
import { describeGenuine, recordedAnswer, recordedIn } from './genuine.js';

type Item = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, string>> };

const entries = recordedIn('stac');

/** Every genuine item once, with the product it is an item of. */
const items = entries.flatMap(({ file, kind, source = '' }) => {
  const answer = recordedAnswer('stac', file) as Item & { readonly features?: readonly Item[] };
  const catalogue = /^pc|planetary/.test(source) ? 'planetary-computer' : 'earth-search';
  return (kind === 'item' ? [answer] : (answer.features ?? [])).flatMap((item) => {
    const scene = isValid(StacItem, item) ? sceneOfItem(catalogue, item) : undefined;
    return scene !== undefined && isUsable(scene) ? [{ catalogue, properties: item.properties, scene }] : [];
  });
});
const ofEarthSearch = items.filter(({ catalogue }) => catalogue === 'earth-search');

/** ESA's own name of a product without what processing changes: satellite, start of the datatake, orbit, tile. */
const uriOf = (properties: Readonly<Record<string, string>>): string =>
  (properties['s2:product_uri'] ?? '').replace(/_N\d{4}_/, '_').replace(/_\d{8}T\d{6}\.SAFE$/, '');

describeGenuine('products of catalogues', entries, () => {
  test('are told from one another by every item that can be used', () => {
    const keys = items.map(({ scene }) => productKeyOf(scene)?.scene ?? `none of ${scene.id}`);
    expect(keys.filter((key) => !/^\d{8}\|GS2[A-Z]_\d{8}T\d{6}_\d{6}\|\d{8}T\d{4,6}$/.test(key))).toEqual([]);
  });

  test('have one key where ESA has one name, in both collections and all versions', () => {
    const names = new Map<string, Set<string>>();
    for (const { scene, properties } of items) {
      const key = productKeyOf(scene);
      if (uriOf(properties) === '' || key === undefined) continue;
      const strip = scene.datastripStart;
      const named = `${uriOf(properties)} ${strip}`;
      names.set(named, (names.get(named) ?? new Set()).add(`${key.tile} ${key.scene}`));
    }
    expect(names.size).toBeGreaterThan(50);
    expect([...names].filter(([, keys]) => keys.size > 1)).toEqual([]);
    const all = [...names.values()].flatMap((keys) => [...keys]);
    expect(new Set(all).size).toBe(all.length);
  });

  test('are the same version in both collections, which both tell it', () => {
    const [old, one] = ['sentinel-2-l2a', 'sentinel-2-c1-l2a'].map(
      (collection) =>
        new Map(
          ofEarthSearch
            .filter(({ scene }) => scene.collection === collection)
            .map(({ scene, properties }) => [properties['s2:product_uri'], scene]),
        ),
    );
    const pairs = [...old!].flatMap(([uri, scene]) => {
      const other = one!.get(uri);
      return uri === undefined || other === undefined ? [] : [[scene, other] as const];
    });
    expect(pairs.length).toBeGreaterThan(0);
    for (const [scene, other] of pairs) {
      expect([productKeyOf(other), productVersionOf(other)]).toEqual([productKeyOf(scene), productVersionOf(scene)]);
    }
  });

  test('were published after they were made', () => {
    const published = ofEarthSearch.map(({ properties, scene }) => publishedAtOf(properties, scene) ?? 'none');
    expect(published.filter((instant) => instant === 'none')).toEqual([]);
  });
});
