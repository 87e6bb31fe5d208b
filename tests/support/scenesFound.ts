import type { SceneCatalogue, SceneQuery } from '../../shared/scenes/stac/sceneCatalogue.js';
import type { Scene, UnusableScene } from '../../shared/scenes/item/scene.js';

/** The scenes that a search by place finds. */
export async function scenesFound(
  catalogue: Pick<SceneCatalogue, 'search'>,
  query: SceneQuery,
): Promise<readonly (Scene | UnusableScene)[]> {
  return (await catalogue.search(query)).items.map(({ scene }) => scene);
}
