import type { PageSettings } from './consoleSettings.js';

const originOf = (address: string): string => new URL(address.replaceAll(/[{}]/g, '')).origin;

/** The Content-Security-Policy of the page: its own origin, the imagery account, and the origins of the settings. */
export function contentPolicy({ blobEndpoint, tiles, login }: PageSettings): string {
  const pictures = ["'self'", 'data:', 'blob:', ...new Set(tiles?.urls.map(originOf))];
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

/** Further headers of the console's files. */
export const pageHeaders = (settings: PageSettings): Readonly<Record<string, string>> => ({
  'content-security-policy': contentPolicy(settings),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(), microphone=()',
});
