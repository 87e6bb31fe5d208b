/** The rates. `read` is that of every operation that neither begins work nor has a rate of its own. */
export const rateNames = [
  'create',
  'read',
  'submit',
  'list',
  'sas',
  'farmRead',
  'farmWrite',
  'scene',
  'operate',
] as const;
export type RateName = (typeof rateNames)[number];

/** `burst` calls at once, then `perSecond`. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export type Rates = Readonly<Record<RateName, Rate>>;

/** Taken where the settings do not name them. */
const usual: Partial<Rates> = {
  farmRead: { perSecond: 50, burst: 200 },
  farmWrite: { perSecond: 20, burst: 100 },
  scene: { perSecond: 0.2, burst: 20 },
  operate: { perSecond: 0.5, burst: 30 },
};

const FORM = /^(\d{1,6})\/(s|min):(\d{1,6})$/;

/**
 * Rates as written in the settings: `create=10/s:50,read=50/s:200,…`, calls by second or minute, a colon and the burst.
 *
 * @throws Error that says what the text must be
 */
export function parseRates(text: string): Rates {
  const entries = text.split(',').map((item): [string, Rate] => {
    const [name = '', value = ''] = item.trim().split('=');
    const [, count, unit, burst] = FORM.exec(value) ?? [];
    const rate = { perSecond: Number(count) / (unit === 'min' ? 60 : 1), burst: Number(burst) };
    if (!(rate.perSecond > 0 && rate.burst >= 1)) throw new Error(mustBe());
    return [name, rate];
  });
  const given = Object.fromEntries(entries);
  const rates = { ...usual, ...given };
  const isEachOnce = Object.keys(given).length === entries.length;
  if (!isEachOnce || Object.keys(rates).sort().join() !== [...rateNames].sort().join()) throw new Error(mustBe());
  return rates as Rates;
}

/** A rate of so many calls a second, with a burst in the same proportion as that of another rate. */
export function inProportion({ perSecond, burst }: Rate, ownPerSecond: number): Rate {
  return { perSecond: ownPerSecond, burst: Math.max(1, Math.round((burst / perSecond) * ownPerSecond)) };
}

const mustBe = (): string =>
  `must name each of ${rateNames.join(', ')} once, as in create=10/s:50 (calls per s or min, then the burst)`;
