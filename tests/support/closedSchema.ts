/**
 * The schema with every object closed that does not say otherwise: the document leaves answers open for what is added
 * later; what is there today is documented to the last member. One with a discriminator is what others build upon.
 */
export function closedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closedSchema(value)]));
  const isObject = inner['type'] === 'object' && inner['properties'] !== undefined && !('discriminator' in inner);
  return isObject ? { additionalProperties: false, ...inner } : inner;
}
