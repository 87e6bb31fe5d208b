import { BlobServiceClient } from '@azure/storage-blob';
import { readFileSync } from 'node:fs';

/** The CORS rule of the imagery account, as infra/azure sets it, by test. */
export const readingRule = {
  allowedMethods: ['GET', 'HEAD'],
  allowedHeaders: ['range', 'x-ms-version'],
  exposedHeaders: [
    'content-range',
    'content-length',
    'content-type',
    'etag',
    'last-modified',
    'accept-ranges',
    'x-ms-request-id',
    'x-ms-error-code',
  ],
  maxAgeInSeconds: 86_400,
} as const;

/** Lets pages of these origins read the account's blobs with a SAS, and pages of no other. */
export async function letOriginsRead(
  { connectionString, caFile }: { readonly connectionString: string; readonly caFile: string },
  origins: readonly string[],
): Promise<void> {
  // This process may not trust the certificate by itself: Node takes further roots at its start only.
  const options = { tlsOptions: { ca: readFileSync(caFile, 'utf8') } };
  await BlobServiceClient.fromConnectionString(connectionString, options as object).setProperties({
    cors: [
      {
        allowedOrigins: origins.join(','),
        allowedMethods: readingRule.allowedMethods.join(','),
        allowedHeaders: readingRule.allowedHeaders.join(','),
        exposedHeaders: readingRule.exposedHeaders.join(','),
        maxAgeInSeconds: readingRule.maxAgeInSeconds,
      },
    ],
  });
}
