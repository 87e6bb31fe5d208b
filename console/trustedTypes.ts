/** The part of Trusted Types that the page uses; TypeScript's library has no types for it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createHTML: (text: string) => string; readonly createScriptURL: (address: string) => string },
  ): unknown;
}

/** The only text that a library assigns as HTML: OpenLayers measures a font with it. */
const MEASURED_LETTER = 'M';
const OWN_SCRIPT = /^\/console\/[\w-]+\.js$/;

/** Lets nothing become HTML but that letter, and nothing a script but our own files. */
export function guardSinks(): void {
  const trustedTypes = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes;
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => {
      if (text === MEASURED_LETTER) return text;
      throw new TypeError('The console makes no HTML of texts.');
    },
    createScriptURL: (address) => {
      const { origin, pathname } = new URL(address, location.href);
      if (origin === location.origin && OWN_SCRIPT.test(pathname)) return address;
      throw new TypeError('The console runs its own scripts only.');
    },
  });
}
