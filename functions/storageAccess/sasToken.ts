import { Type } from 'typebox';
import { route } from '../../shared/wiring/declare.js';

const example = {
  account_name: 'fieldimagery',
  file_system: 'imagery',
  sas_token: 'sv=2025-07-05&spr=https&st=…&se=…&sr=d&sdd=2&sp=rl&sig=…',
  path: 'contoso/field-imagery',
};

/** GET /v1/auth/sas-token — read access to the caller's imagery for 8 hours. */
export const storageAccessSasToken = route({
  name: 'storageAccessSasToken',
  method: 'GET',
  path: 'v1/auth/sas-token',
  caller: 'apiKey',
  tag: 'Storage access',
  summary: 'Get storage access',
  description:
    'The folder is `https://{account_name}.blob.core.windows.net/{file_system}/{path}`; the token is the query behind each address in it and ends at its `se`. List below `path/`, with the slash; read the files that are found there.',
  errors: 'enrollments',
  rate: 'sas',
  success: {
    status: 200,
    description: 'A token to read and list below `path`, good for 8 hours.',
    content: {
      'application/json': {
        schema: Type.Object(
          {
            account_name: Type.String({ description: 'Storage account' }),
            file_system: Type.String({ description: 'Container (file system)' }),
            sas_token: Type.String({ description: 'Grants read access; keep it secret' }),
            path: Type.String({ description: 'Prefix the token applies to' }),
          },
          { title: 'StorageAccess', additionalProperties: false },
        ),
        example,
      },
    },
  },
  faults: [],
  handle: async ({ customer }, { grantStorageAccess }) => ({ status: 200, json: await grantStorageAccess(customer) }),
});
