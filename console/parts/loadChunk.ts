/** A page of the last release asks for a file that is gone: a new page knows the new name. Once, or it would go on and on. */
const RELOADED = 'field-console-reloaded';

/** Loads a part of the page that is not there from the start. @param name of the part */
export async function loadChunk<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    const loaded = await load();
    sessionStorage.removeItem(RELOADED);
    return loaded;
  } catch (error) {
    if (navigator.onLine && sessionStorage.getItem(RELOADED) === null) {
      sessionStorage.setItem(RELOADED, name);
      location.reload();
    }
    throw error;
  }
}
