/** Types of imageryInspection.mjs for the tests in TypeScript. */

/** The files of one customer. */
export class CustomerFiles {
  constructor(
    service: { readonly blobEndpoint: string; readonly caFile: string },
    access: { readonly file_system: string; readonly path: string; readonly sas_token: string },
    limitMs?: number,
  );
  list(): Promise<readonly string[]>;
  read(name: string): Promise<Buffer>;
}
