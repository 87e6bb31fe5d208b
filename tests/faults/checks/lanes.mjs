// I14: who has ended stands in no lane, and has no slot that another could have.

/** Tickets and slots by lane: what stands in table `work` under `lane|`. */
export async function standingInLanes({ storage }) {
  const rows = await storage.rows('work', "PartitionKey ge 'lane|' and PartitionKey lt 'lane}'");
  return rows.map(({ partitionKey, rowKey }) => `${partitionKey} ${rowKey}`);
}

/** When nothing is open every lane is empty: the last who leaves takes the lane's row away. */
export async function checkLanes(world, breaches) {
  for (const row of await standingInLanes(world)) breaches.push(`I14: a lane is left behind at quiet: ${row}`);
}
