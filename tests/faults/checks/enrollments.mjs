// I6 and I8 of enrollments: rows, lists, inputs, and the count of their fields.

const json = (row) => {
  const parts = Object.keys(row).filter((name) => /^(json|text)\d*$/.test(name));
  return JSON.parse(
    parts
      .sort((a, b) => Number(a.replace(/\D/g, '')) - Number(b.replace(/\D/g, '')))
      .map((name) => row[name])
      .join(''),
  );
};

/** I6: the counters are what the field rows say, and together all fields at the end. */
function checkCounts(enrollment, fields, breaches) {
  const { enrollmentId, status, totalFields, processedFields, failedFields } = enrollment;
  const mine = fields.filter((field) => field.enrollmentId === enrollmentId);
  const ready = mine.filter((field) => field.status === 'ready').length;
  if (!['completed', 'failed'].includes(status)) breaches.push(`I6: enrollment ${enrollmentId} is ${status}`);
  if (processedFields + failedFields > totalFields) breaches.push(`I6: ${enrollmentId} counts more fields than it has`);
  if (status !== 'completed') return;
  if (processedFields + failedFields !== totalFields)
    breaches.push(`I6: ${enrollmentId} is completed without all fields`);
  if (ready !== processedFields || mine.length - ready !== failedFields)
    breaches.push(
      `I6: ${enrollmentId} counts ${processedFields} + ${failedFields}, its fields are ${ready} + ${mine.length - ready}`,
    );
}

/** I8: what makes an enrollment is there as a whole. */
function checkWhole(enrollment, rows, inputs, breaches) {
  const { enrollmentId, status } = enrollment;
  const of = (prefix) => rows.filter(({ rowKey }) => rowKey.startsWith(prefix) && rowKey.endsWith(`_${enrollmentId}`));
  if (of('A_').length !== 1) breaches.push(`I8: ${enrollmentId} stands ${of('A_').length} times in the list`);
  const listed = of('S_').map(({ rowKey }) => rowKey);
  if (listed.length !== 1 || !listed[0].startsWith(`S_${status}_`))
    breaches.push(`I8: ${enrollmentId} is listed as ${listed.join(' and ')}`);
  const own = inputs.filter((name) => name.includes(enrollmentId));
  if (own.length < 2) breaches.push(`I8: ${enrollmentId} has ${own.length} inputs`);
}

/** I8: what was answered 202 is there. */
export async function checkEnrollments({ storage, client }, breaches) {
  const rows = await storage.rows('enrollments');
  const enrollments = rows.filter(({ rowKey }) => rowKey.startsWith('E_')).map(json);
  const fields = (await storage.rows('fields', "RowKey ge 'F_' and RowKey lt 'F`'")).map((row) => JSON.parse(row.json));
  const inputs = await storage.blobNames('enrollment-inputs');
  for (const enrollment of enrollments) {
    checkCounts(enrollment, fields, breaches);
    checkWhole(enrollment, rows, inputs, breaches);
  }
  const known = new Set(enrollments.map(({ enrollmentId }) => enrollmentId));
  for (const { op, status, json: answer } of client.history) {
    if (op === 'submit' && status === 202 && !known.has(answer.enrollment_id))
      breaches.push(`I8: ${answer.enrollment_id} was accepted and is lost`);
  }
  return { enrollments: enrollments.length, fields: fields.length };
}
