import { addDays } from '../../validation/calendar.js';
import { daysOfScene } from '../catalogue/scene.js';
import { shownBy, type Product } from '../products/product.js';
import type { TableSceneStore } from '../products/tableSceneStore.js';

/** What may count for a day of a tile: its products, and those that an overpass at midnight has on the other side of it. */
export async function productsOfDay(
  { scenes }: { readonly scenes: Pick<TableSceneStore, 'listDays'> },
  tile: string,
  date: string,
): Promise<readonly Product[]> {
  const found = await scenes.listDays(tile, { from: addDays(date, -1), to: addDays(date, 1) });
  return found.flatMap(({ product }) => (daysOfScene(shownBy(product)).includes(date) ? [product] : []));
}
