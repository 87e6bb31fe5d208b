// I14: who has ended stands in no line, and has no place that another could have.

/** Tickets and places by line: what stands in table `limits` under `line_`. */
export async function standingInLines({ storage }) {
  const rows = await storage.rows('limits', "PartitionKey ge 'line_' and PartitionKey lt 'line`'");
  return rows.map(({ partitionKey, rowKey }) => `${partitionKey} ${rowKey}`);
}

/** When nothing is open every line is empty: the last who leaves takes the line's row away. */
export async function checkLines(world, breaches) {
  for (const row of await standingInLines(world)) breaches.push(`I14: a line is left behind at quiet: ${row}`);
}
