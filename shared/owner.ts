/** Whose something is: a tenant's or a customer's. The prefix counts, for a customer may be named like a tenant. */
export type NoticeOwner = `t_${string}` | `c_${string}`;
export const ownerOfTenant = (tenant: string): NoticeOwner => `t_${tenant}`;
export const ownerOfCustomer = (customer: string): NoticeOwner => `c_${customer}`;
/** The customer whose log it is, of the text of an owner; undefined for a tenant's. */
export const customerOfOwner = (owner: string): string | undefined =>
  owner.startsWith('c_') ? owner.slice(2) : undefined;
/** The tenant whose log it is, of the text of an owner; undefined for a customer's. */
export const tenantOfOwner = (owner: string): string | undefined =>
  owner.startsWith('t_') ? owner.slice(2) : undefined;
