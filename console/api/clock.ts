/** What the service's clock is ahead of this computer's, milliseconds; none until an answer has told. */
let aheadMs = 0;

/** Takes the time of an answer that comes from the service itself, not from a cache. */
export function noteTime(answer: Response): void {
  const told = Date.parse(answer.headers.get('date') ?? '');
  if (!Number.isNaN(told)) aheadMs = told - Date.now();
}

/**
 * Now by the service's clock, to the second: people's computers are hours off, and all that is compared with times of
 * the service, or asked of it, would be too.
 *
 * @returns milliseconds since 1970
 */
export const serviceNow = (): number => Date.now() + aheadMs;

/** The day in UTC by the service's clock, `YYYY-MM-DD`. */
export const serviceToday = (): string => new Date(serviceNow()).toISOString().slice(0, 10);
