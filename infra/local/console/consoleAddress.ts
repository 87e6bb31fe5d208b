/** Origins under which a browser on this machine opens the local console. @param baseUrl of the service */
export function consoleOrigins(baseUrl: string): readonly string[] {
  const { port } = new URL(baseUrl);
  return [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
}

/**
 * The address that signs in to the console once.
 *
 * @param place what it shows then, such as `degree-days/demo-1`; the fields when absent
 */
export const consoleAddress = (baseUrl: string, code: string, place?: string): string =>
  `${baseUrl}/console/#local=${code}${place === undefined ? '' : `/${place}`}`;
