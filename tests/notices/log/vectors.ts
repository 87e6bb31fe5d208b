import { readFileSync } from 'node:fs';

interface SignedDelivery {
  readonly name: string;
  readonly secret: string;
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
  readonly signature: string;
  readonly now?: number;
  readonly expect: 'valid' | 'refused';
}

export interface Vectors {
  readonly secrets: { readonly current: string; readonly former: string };
  readonly idRule: { readonly example: { readonly parts: readonly (string | number)[]; readonly id: string } };
  readonly reference: {
    readonly id: string;
    readonly ts: number;
    readonly body: string;
    readonly secret: string;
    readonly sig: string;
  };
  readonly symmetric: readonly SignedDelivery[];
  /** Addresses that a name may not lead to, and that it may. */
  readonly egress: { readonly refused: readonly string[]; readonly allowed: readonly string[] };
}

/** Signed deliveries of all ten events, made apart from the service; origin in tests/fixtures/notices/README.md. */
export const vectors = JSON.parse(
  readFileSync(new URL('../../fixtures/notices/vectors.json', import.meta.url), 'utf8'),
) as Vectors;

export const deliveryNamed = (name: string): SignedDelivery => {
  const found = vectors.symmetric.find((delivery) => delivery.name.startsWith(name));
  if (found === undefined) throw new Error(`No delivery is named ${name}.`);
  return found;
};
