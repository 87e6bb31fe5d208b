import type { PageSettings } from '../../shared/console/consoleSettings.js';
import { errorOf, noAnswer } from './errors.js';

let settings: Promise<PageSettings> | undefined;

async function read(): Promise<PageSettings> {
  const response = await fetch('/console/settings.json', { credentials: 'omit' }).catch(() => {
    throw noAnswer();
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as PageSettings;
}

/** What the page must know of its surroundings; asked once, and again after a failure. */
export const pageSettings = (): Promise<PageSettings> =>
  (settings ??= read().catch((error: unknown) => {
    settings = undefined;
    throw error;
  }));
