import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { exportedResources, type ExportPorts } from '../../../shared/farm/operations/exportedResources.js';

/** How much was written. */
export interface ExportedCounts {
  readonly resources: number;
  readonly attachments: number;
}

/**
 * Writes everything of a party to a folder: `resources.ndjson`, a resource a line as `{ path, resource }`, parents before
 * children, and the contents of attachments below `attachments/`, which their lines name as `file`.
 *
 * @returns undefined when the tenant has no such party
 */
export async function exportParty(
  ports: ExportPorts,
  party: { readonly tenant: string; readonly partyId: string },
  folder: string,
): Promise<ExportedCounts | undefined> {
  const counts = { resources: 0, attachments: 0 };
  await mkdir(join(folder, 'attachments'));
  const lines = await open(join(folder, 'resources.ndjson'), 'wx');
  try {
    for await (const { bytes, ...line } of exportedResources(ports, party)) {
      if (bytes !== undefined) await writeFile(join(folder, line.file ?? ''), bytes);
      await lines.appendFile(`${JSON.stringify(line)}\n`);
      counts.resources += 1;
      if (bytes !== undefined) counts.attachments += 1;
    }
    return counts;
  } catch (error) {
    if (error instanceof ServiceError && error.fault.status === 404) return undefined;
    throw error;
  } finally {
    await lines.close();
  }
}
