import { wholeNumber } from '../../kit/setting.js';

const most = (count: string, what: string) => ({
  meaning: `Most ${what} of a tenant, counted every night; more are refused with QuotaExceeded.`,
  example: count,
  fallback: count,
  parse: wholeNumber(1, 100_000_000),
});

/** Settings of farm data. */
export const farmSettings = {
  FARM_PARTIES_PER_TENANT: most('10000', 'parties'),
  FARM_FARMS_PER_TENANT: most('50000', 'farms'),
  FARM_FIELDS_PER_TENANT: most('1000000', 'fields'),
  FARM_INSIGHTS_PER_DAY: {
    meaning: 'Most new insights of one party, farm or field in a day (UTC); a job that would make one more fails.',
    example: '100',
    fallback: '100',
    parse: wholeNumber(1, 100_000_000),
  },
  FARM_INSIGHT_DAYS: {
    meaning: 'Days after its latest change at which an insight of farm data is deleted.',
    example: '1100',
    fallback: '1100',
    parse: wholeNumber(1, 3650),
  },
};
