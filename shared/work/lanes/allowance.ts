import type { Clock } from '../../kit/clock.js';

/** Names remembered at once; whoever is forgotten begins anew. */
const MAX_REMEMBERED = 10_000;

/**
 * Lets each name pass so many times within a span, as this process remembers: knowing it costs no request.
 *
 * The function it makes says whether the name may pass now, and counts it when it may.
 */
export function allowance(clock: Pick<Clock, 'now'>, spanMs: number): (name: string, most: number) => boolean {
  const passed = new Map<string, readonly number[]>();
  return (name, most) => {
    const now = clock.now().getTime();
    const recent = (passed.get(name) ?? []).filter((at) => now - at < spanMs);
    const mayPass = recent.length < most;
    passed.delete(name);
    passed.set(name, mayPass ? [...recent, now] : recent);
    const [oldest] = passed.keys();
    if (passed.size > MAX_REMEMBERED && oldest !== undefined) passed.delete(oldest);
    return mayPass;
  };
}
