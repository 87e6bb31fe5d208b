import type { SceneLibrary } from './sceneLibrary.js';

/** The first library's scenes of a region where it has any, else the second's. Keys tell the libraries apart. */
export function firstOf(first: SceneLibrary, second: SceneLibrary): SceneLibrary {
  const libraries = { first, second } as const;
  const named = (name: keyof typeof libraries) => async (search: Parameters<SceneLibrary['list']>[0]) =>
    (await libraries[name].list(search)).map((scene) => ({ ...scene, key: `${name}-${scene.key}` }));
  return {
    list: async (search) => {
      const found = await named('first')(search);
      return found.length > 0 ? found : named('second')(search);
    },
    read: (key, image, region) => {
      const isFirst = key.startsWith('first-');
      return (isFirst ? first : second).read(key.slice(key.indexOf('-') + 1), image, region);
    },
  };
}
