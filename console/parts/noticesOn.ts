import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { pageSettings } from '../api/settings.js';

const areOn = signal<boolean | undefined>(undefined);

/** Whether the service tells of events; undefined until its settings are there, which the page reads anyway. */
export function useNoticesOn(): boolean | undefined {
  useEffect(() => {
    if (areOn.value !== undefined) return;
    pageSettings().then(
      ({ notices }) => {
        areOn.value = notices;
      },
      () => undefined, // Whoever needs the settings says what is wrong.
    );
  }, []);
  return areOn.value;
}
