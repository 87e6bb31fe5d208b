import { systemClock } from '../../../shared/kit/clock.js';
import { demoCustomer, FARM_CUSTOMER, type DemoCustomerOptions } from '../demoCustomer.js';
import { OWN_FARMS } from '../demo/farms.js';
import type { ConsoleSession, StorageReaderOptions } from '../storageReader.js';
import { takeCode } from './codes.js';
import { enrolFarm } from './farmEnrollment.js';

export interface SessionSources extends Omit<DemoCustomerOptions, 'customer'> {
  /** A token of the tenant that has the farm. */
  readonly issueToken: () => string;
  readonly farm: Pick<ConsoleSession['farm'], 'partyId' | 'farmId' | 'point'>;
}

/**
 * What a one-time code of the local console stands for: a customer with a farm of its own, which is enrolled at the
 * first time, and a token of the tenant that has that farm.
 */
export function consoleSession(sources: SessionSources): StorageReaderOptions['redeem'] {
  const fields = OWN_FARMS[0].fields.map(({ id, name }) => ({ id, name }));
  return async (code, baseUrl) => {
    if (!takeCode(sources.directory, code, systemClock.now())) return undefined;
    const { apiKey } = await demoCustomer({ ...sources, customer: FARM_CUSTOMER });
    await enrolFarm(baseUrl, apiKey, sources.farm.point);
    return { apiKey, token: sources.issueToken(), farm: { ...sources.farm, fields } };
  };
}
