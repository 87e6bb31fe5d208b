import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { boundedScan, type Listed, type ScanPage } from '../../kit/boundedScan.js';
import { requireLand } from '../land/getLand.js';
import { landOfOwner, type InsightOwner, type FarmAttachmentRecord, type FarmInsightRecord } from './farmInsight.js';
import type { FarmInsightStore, StoredPart } from './insightStore.js';
import { idKeyOf } from '../land/land.js';
import { commonFilter, isWithin, type CommonFilters, type TimeFilter } from '../wire/landFilters.js';
import type { LandStore } from '../land/landStore.js';
import { invalidRequest } from '../wire/resourceRules.js';

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
  readonly starts?: TimeFilter | undefined;
  readonly ends?: TimeFilter | undefined;
  /** `{key}.unit eq {text}` or `{key}.value eq {number}` */
  readonly measurementFilters?: readonly string[] | undefined;
}

export interface AttachmentFilters extends CommonFilters {
  readonly insightIds?: readonly string[] | undefined;
}

/** Rows of a read, of up to 64 KB each. */
const ROWS_A_READ = 100;

/** Insights of one model about one resource, by their ids. @throws ServiceError 404 without the resource, 400 for a filter */
export const listInsights =
  (ports: ListInsightsPorts) =>
  async (
    owner: InsightOwner,
    { after, size, ...filters }: InsightFilters & PageOptions,
  ): Promise<ScanPage<FarmInsightRecord, string>> => {
    const passes = insightFilter(filters);
    await requireLand(ports.land, landOfOwner(owner));
    return shownPage(
      await boundedScan({
        read: async (behind, most) => listed(await ports.insights.page('insight', owner, { after: behind, most })),
        isWanted: ({ part, isWithdrawn }) => !isWithdrawn && passes(part),
        most: ROWS_A_READ,
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
  ): Promise<ScanPage<FarmAttachmentRecord, string>> => {
    const passes = commonFilter(filters);
    const insightIds = filters.insightIds && new Set(filters.insightIds.map(idKeyOf));
    await requireLand(ports.land, landOfOwner(owner));
    return shownPage(
      await boundedScan({
        read: async (behind, most) => listed(await ports.insights.page('attachment', owner, { after: behind, most })),
        isWanted: ({ part, isWithdrawn }) =>
          !isWithdrawn && passes(part) && (insightIds === undefined || insightIds.has(idKeyOf(part.insightId))),
        most: ROWS_A_READ,
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

/** A file of an insight: its name and its content. @throws ServiceError 404 */
export const readAttachment =
  ({ insights }: Pick<ListInsightsPorts, 'insights'>) =>
  async (owner: InsightOwner, id: string): Promise<{ readonly name: string; readonly bytes: Uint8Array }> => {
    for (let tries = 0; tries < MOST_READS; tries += 1) {
      const found = await insights.find('attachment', owner, id);
      if (found === undefined || found.isWithdrawn) break;
      const bytes = await insights.readFile(owner, id, found.epoch);
      if (bytes !== undefined) return { name: found.part.originalFileName, bytes };
      // A later attempt of its job has replaced it between the two reads.
    }
    throw new ServiceError(farmFaults.resourceNotFound, `This ${owner.resourceType} has no file ${id} of that model.`);
  };

/** A file is replaced at most a few times. */
const MOST_READS = 3;

const isAnySet = (filters: object): boolean => Object.values(filters).some((filter) => filter !== undefined);

const listed = <P extends 'insight' | 'attachment'>(
  parts: readonly StoredPart<P>[],
): readonly Listed<StoredPart<P>, string>[] => parts.map((item) => ({ item, at: item.part.id }));

const shownPage = <P extends 'insight' | 'attachment'>({ items, ...rest }: ScanPage<StoredPart<P>, string>) => ({
  items: items.map(({ part }) => part),
  ...rest,
});

function insightFilter(filters: InsightFilters): (insight: FarmInsightRecord) => boolean {
  const passes = commonFilter(filters);
  const isMeasured = filters.measurementFilters && measurementFilters(filters.measurementFilters);
  return (insight) =>
    passes(insight) &&
    isWithin(insight.from, filters.starts) &&
    isWithin(insight.to, filters.ends) &&
    (isMeasured === undefined || isMeasured(insight.measurements));
}

/** As with properties, a text between commas need not have the form. */
function measurementFilters(texts: readonly string[]): (measurements: FarmInsightRecord['measurements']) => boolean {
  const filters = texts.flatMap((text): { readonly key: string; readonly unit?: string; readonly value?: number }[] => {
    const [, key, member, wanted] = /^(.{1,100})\.(unit|value) eq (.{1,150})$/s.exec(text) ?? [];
    if (key === undefined || wanted === undefined) return [];
    return [member === 'unit' ? { key, unit: wanted } : { key, value: Number(wanted) }];
  });
  if (filters.length === 0 || filters.some(({ value }) => Number.isNaN(value))) {
    throw invalidRequest('measurementFilters must have the form `{key}.unit eq {text}` or `{key}.value eq {number}`.');
  }
  return (measurements) =>
    filters.some(({ key, unit, value }) => {
      const measured = Object.hasOwn(measurements, key) ? measurements[key] : undefined;
      return measured !== undefined && (unit === undefined ? measured.value === value : measured.unit === unit);
    });
}
