import type { Setting } from '../../shared/kit/setting.js';
import { settings } from '../../shared/wiring/settings/config.js';

const key = JSON.stringify({ 1: Buffer.alloc(32).toString('base64') });

/** Settings that let the app load, when nothing in it is called: those it can't do without, by their examples. */
export const loadableSettings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).flatMap(([name, { example, fallback, optional }]) =>
      optional === true ? [] : [[name, fallback ?? example]],
    ),
  ),
  // Its example is cut short.
  API_KEY_PEPPERS: key,
};
