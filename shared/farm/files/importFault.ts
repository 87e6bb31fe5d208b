/** A file can't be imported, not even in part. */
export class ImportFault extends Error {
  override readonly name = 'ImportFault';
}
