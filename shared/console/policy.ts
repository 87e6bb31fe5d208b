import type { PageSettings } from './consoleSettings.js';

const originOf = (address: string): string => new URL(address.replaceAll(/[{}]/g, '')).origin;

/** What the page may load and whom it may ask: its own origin, the imagery account, and what settings name. */
export function contentPolicy({ blobEndpoint, tiles, login }: PageSettings): string {
  const pictures = ["'self'", 'data:', 'blob:', ...(tiles === null ? [] : [originOf(tiles.url)])];
  const asked = ["'self'", originOf(blobEndpoint), ...(login === null ? [] : [originOf(login.authority)])];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${pictures.join(' ')}`,
    `connect-src ${asked.join(' ')}`,
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}

/** Headers of the console's files, beside those of every answer. */
export const pageHeaders = (settings: PageSettings): Readonly<Record<string, string>> => ({
  'content-security-policy': contentPolicy(settings),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(), microphone=()',
});
