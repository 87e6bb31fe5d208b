/** Whose calls are limited: a tenant (areas A and B), a customer (area C), an operator, or this service as a caller of others. */
export type LimitedCaller =
  | { readonly tenant: string }
  | { readonly customer: string }
  | { readonly operator: string }
  | { readonly service: string };

/** The key of a caller's buckets, with a prefix for its kind: a customer may have the name of a tenant or a service. */
export function bucketKeyOf(caller: LimitedCaller): string {
  if ('tenant' in caller) return `t_${caller.tenant}`;
  if ('operator' in caller) return `o_${caller.operator}`;
  return 'customer' in caller ? `c_${caller.customer}` : `s_${caller.service}`;
}
