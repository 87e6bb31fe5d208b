/**
 * Shows how many of some things are in which state: a line that is written anew on a terminal, and a line per change
 * of the summary elsewhere.
 */
export function progressOf(names: readonly string[]): (name: string, state: string) => void {
  const states = new Map(names.map((name) => [name, 'WAITING']));
  let last = '';
  return (name, state) => {
    states.set(name, state);
    const counts = new Map<string, number>();
    for (const value of states.values()) counts.set(value, (counts.get(value) ?? 0) + 1);
    const line = [...counts].map(([value, count]) => `${value} ${count}`).join(', ');
    if (line === last) return;
    last = line;
    const isDone = ![...states.values()].some((value) => value === 'WAITING' || value === 'RUNNING');
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K  ${line}${isDone ? '\n' : ''}`);
    else console.log(`  ${line}`);
  };
}
