/** What every bench has in common: how it prints, and a run that only shows that it works. */

const SMOKE = '--smoke';
/** What a bench runs again in processes of its own finds the choice in its environment. */
const at = process.argv.indexOf(SMOKE);
if (at > 0) {
  process.argv.splice(at, 1);
  process.env['BENCH_SMOKE'] = '1';
}

/** With `--smoke` a bench has one round of the smallest size: its figures say nothing, but that they can be had. */
export const isSmoke = process.env['BENCH_SMOKE'] !== undefined;

/** How often, or how large. @param smallest in a smoke run */
export const sized = (usual: number, smallest = 1): number => (isSmoke ? smallest : usual);

/** Prints a line of results. @throws Error when a figure of it is no number */
export function say(line: string): void {
  if (/\b(?:NaN|Infinity|undefined)\b/.test(line)) throw new Error(`A figure is no number: ${line.trim()}`);
  process.stdout.write(`${line}\n`);
}

/** Ends the bench with 1 when a goal is missed; a smoke run judges none. */
export function judge(isMet: boolean): void {
  process.exitCode = isMet || isSmoke ? 0 : 1;
}
