import { farmFaults } from '../errors/farmFaults.js';
import { ServiceError } from '../errors/serviceError.js';
import { boundedScan, type Listed, type ScanPage } from './boundedScan.js';
import { requireLand } from './getLand.js';
import { landOfOwner, type InsightOwner, type StoredAttachment, type StoredInsight } from './insight.js';
import type { FarmInsightStore, StoredPart } from './insightStore.js';
import { keyOf } from './land.js';
import { commonFilter, isWithin, type CommonFilters, type Period } from './landFilters.js';
import type { LandStore } from './landStore.js';
import { invalidRequest } from './resourceRules.js';

export interface ListInsightsPorts {
  readonly land: Pick<LandStore, 'find'>;
  readonly insights: Pick<FarmInsightStore, 'find' | 'page' | 'readFile'>;
}

interface PageOptions {
  /** Id of the last one of the page before. */
  readonly after?: string | undefined;
  readonly size: number;
}

export interface InsightFilters extends CommonFilters {
  readonly starts?: Period | undefined;
  readonly ends?: Period | undefined;
  /** `{key}.unit eq {text}` or `{key}.value eq {number}` */
  readonly measurementFilters?: readonly string[] | undefined;
}

export interface AttachmentFilters extends CommonFilters {
  readonly insightIds?: readonly string[] | undefined;
}

/** Insights of one model about one resource, by their ids. @throws ServiceError 404 without the resource, 400 for a filter */
export const listInsights =
  (ports: ListInsightsPorts) =>
  async (
    owner: InsightOwner,
    { after, size, ...filters }: InsightFilters & PageOptions,
  ): Promise<ScanPage<StoredInsight, string>> => {
    const passes = insightFilter(filters);
    await requireLand(ports.land, landOfOwner(owner));
    return shownPage(
      await boundedScan({
        read: async (behind, most) => listed(await ports.insights.page('insight', owner, { after: behind, most })),
        isWanted: ({ part, isWithdrawn }) => !isWithdrawn && passes(part),
        isFiltered: isAnySet(filters),
        ...{ after, size },
      }),
    );
  };

/** Files of the insights of one model about one resource, by their ids. @throws ServiceError 404, 400 */
export const listAttachments =
  (ports: ListInsightsPorts) =>
  async (
    owner: InsightOwner,
    { after, size, ...filters }: AttachmentFilters & PageOptions,
  ): Promise<ScanPage<StoredAttachment, string>> => {
    const passes = commonFilter(filters);
    const insightIds = filters.insightIds && new Set(filters.insightIds.map(keyOf));
    await requireLand(ports.land, landOfOwner(owner));
    return shownPage(
      await boundedScan({
        read: async (behind, most) => listed(await ports.insights.page('attachment', owner, { after: behind, most })),
        isWanted: ({ part, isWithdrawn }) =>
          !isWithdrawn && passes(part) && (insightIds === undefined || insightIds.has(keyOf(part.insightId))),
        isFiltered: isAnySet(filters),
        ...{ after, size },
      }),
    );
  };

/** One insight or attachment. @throws ServiceError 404 */
export const getInsightPart =
  ({ insights }: Pick<ListInsightsPorts, 'insights'>) =>
  async <P extends 'insight' | 'attachment'>(
    kind: P,
    owner: InsightOwner,
    id: string,
  ): Promise<StoredPart<P>['part']> => {
    const found = await insights.find(kind, owner, id);
    if (found !== undefined && !found.isWithdrawn) return found.part;
    throw new ServiceError(
      farmFaults.resourceNotFound,
      `This ${owner.resourceType} has no ${kind} ${id} of that model.`,
    );
  };

const isAnySet = (filters: object): boolean => Object.values(filters).some((filter) => filter !== undefined);

const listed = <P extends 'insight' | 'attachment'>(
  parts: readonly StoredPart<P>[],
): readonly Listed<StoredPart<P>, string>[] => parts.map((item) => ({ item, at: item.part.id }));

const shownPage = <P extends 'insight' | 'attachment'>({ items, ...rest }: ScanPage<StoredPart<P>, string>) => ({
  items: items.map(({ part }) => part),
  ...rest,
});

function insightFilter(filters: InsightFilters): (insight: StoredInsight) => boolean {
  const passes = commonFilter(filters);
  const measures = filters.measurementFilters?.map(measurementFilter);
  return (insight) =>
    passes(insight) &&
    isWithin(insight.from, filters.starts) &&
    isWithin(insight.to, filters.ends) &&
    (measures === undefined || measures.some((fits) => fits(insight)));
}

function measurementFilter(text: string): (insight: StoredInsight) => boolean {
  const [, key, member, wanted] = /^(.{1,100})\.(unit|value) eq (.{1,150})$/s.exec(text) ?? [];
  if (key === undefined || (member === 'value' && !Number.isFinite(Number(wanted)))) {
    throw invalidRequest('measurementFilters must have the form `{key}.unit eq {text}` or `{key}.value eq {number}`.');
  }
  return ({ measurements }) => {
    const measured = Object.hasOwn(measurements, key) ? measurements[key] : undefined;
    if (measured === undefined) return false;
    return member === 'unit' ? measured.unit === wanted : measured.value === Number(wanted);
  };
}
