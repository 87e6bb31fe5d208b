import { addDays } from '../../kit/validation/calendar.js';
import { daysOfScene } from '../../scenes/item/scene.js';
import { shownBy, type Product } from '../products/product.js';
import type { TableSceneStore } from '../products/tableSceneStore.js';

/** The products of a tile that may count for a day; an overpass near midnight may count for either day. */
export async function productsOfDay(
  { scenes }: { readonly scenes: Pick<TableSceneStore, 'listDays'> },
  tile: string,
  date: string,
): Promise<readonly Product[]> {
  const found = await scenes.listDays(tile, { from: addDays(date, -1), to: addDays(date, 1) });
  return found.flatMap(({ product }) => (daysOfScene(shownBy(product)).includes(date) ? [product] : []));
}
