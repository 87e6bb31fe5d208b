/** Whose calls are counted: a tenant (areas A and B), a customer (area C), or this service as a caller of others. */
export type Caller = { readonly tenant: string } | { readonly customer: string } | { readonly service: string };

/**
 * The key of a caller's buckets. The kind is part of it, for a customer may be named like a tenant's UUID or like a
 * service.
 */
export function bucketKeyOf(caller: Caller): string {
  if ('tenant' in caller) return `t_${caller.tenant}`;
  return 'customer' in caller ? `c_${caller.customer}` : `s_${caller.service}`;
}
