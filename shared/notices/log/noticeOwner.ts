/** Whose something is: a tenant's or a customer's. The prefix counts, for a customer may be named like a tenant. */
export type NoticeOwner = `t_${string}` | `c_${string}`;
/** The text of an owner: the id of a customer, or the lower-case UUID of a tenant, behind its prefix. */
export const NOTICE_OWNER = /^(c_[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?|t_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
export const ownerOfTenant = (tenant: string): NoticeOwner => `t_${tenant}`;
export const ownerOfCustomer = (customer: string): NoticeOwner => `c_${customer}`;
/** The customer whose log it is, of the text of an owner; undefined for a tenant's. */
export const customerOfOwner = (owner: string): string | undefined =>
  owner.startsWith('c_') ? owner.slice(2) : undefined;
/** The tenant whose log it is, of the text of an owner; undefined for a customer's. */
export const tenantOfOwner = (owner: string): string | undefined =>
  owner.startsWith('t_') ? owner.slice(2) : undefined;
