import type { PageSettings } from '../../shared/http/pages/consoleSettings.js';
import { noteTime } from './clock.js';
import { untilAnswered } from './connection.js';
import { errorOf, noAnswer } from './errors.js';

let settings: Promise<PageSettings> | undefined;

async function read(): Promise<PageSettings> {
  const response = await fetch('/console/settings.json', { cache: 'no-store', credentials: 'omit' }).catch(() => {
    throw noAnswer();
  });
  noteTime(response);
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as PageSettings;
}

/** What the page must know of its surroundings; asked once, and again after a failure. */
export const pageSettings = (): Promise<PageSettings> =>
  (settings ??= untilAnswered(read).catch((error: unknown) => {
    settings = undefined;
    throw error;
  }));
