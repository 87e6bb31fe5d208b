import { fieldFaults } from '../../../shared/errors/catalogue.js';
import { LAYERS } from '../fields/selection.js';

const REMEDIES: ReadonlyMap<string, string> = new Map(
  Object.values(fieldFaults).map(({ code, remedy }) => [code, remedy]),
);

/** What to do about a field's fault, as the service's own table of errors says it. */
export const remedyOf = (code: string): string => REMEDIES.get(code) ?? 'Tell us the code.';

/** Layers by their names, as the card of layers has them. */
export const layerNames = (layers: readonly string[]): string =>
  layers.map((layer) => LAYERS.find((each) => each.layer === layer)?.name ?? layer).join(', ');
