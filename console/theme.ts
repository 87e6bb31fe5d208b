import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const KEPT = 'field-console-theme';
const system = typeof matchMedia === 'undefined' ? undefined : matchMedia('(prefers-color-scheme: dark)');

function chosen(): Theme | undefined {
  try {
    const text = localStorage.getItem(KEPT);
    return text === 'light' || text === 'dark' ? text : undefined;
  } catch {
    return undefined; // Storage is switched off: the system decides.
  }
}

/** Light or dark: what was chosen, else what the system says. */
export const theme = signal<Theme>(chosen() ?? (system?.matches === true ? 'dark' : 'light'));

/** Changes to the other theme and remembers it. */
export function turnTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(KEPT, theme.value);
  } catch {
    // It holds for as long as the page stands.
  }
}

/** Keeps the page in the theme. */
export function followTheme(): void {
  system?.addEventListener('change', ({ matches }) => {
    if (chosen() === undefined) theme.value = matches ? 'dark' : 'light';
  });
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
}
