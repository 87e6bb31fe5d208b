import type { SceneCatalogue, SceneQuery } from '../../shared/imagery/catalogue/sceneCatalogue.js';
import type { Scene, UnusableScene } from '../../shared/imagery/catalogue/scene.js';

/** The scenes that a search by place finds. */
export async function scenesFound(
  catalogue: Pick<SceneCatalogue, 'search'>,
  query: SceneQuery,
): Promise<readonly (Scene | UnusableScene)[]> {
  return (await catalogue.search(query)).items.map(({ scene }) => scene);
}
