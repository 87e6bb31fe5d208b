import type { ListedField } from '../../api/fields.js';

/** How many of an enrollment's fields have a picture. */
export interface PictureCount {
  readonly total: number;
  readonly withPicture: number;
}

/** Counts the monitored fields of an enrollment. */
export function pictureCount(listed: readonly ListedField[], enrollmentId: string): PictureCount {
  const own = listed.filter(
    ({ enrollments, errors }) => errors === null && enrollments.some(({ enrollment_id: id }) => id === enrollmentId),
  );
  return { total: own.length, withPicture: own.filter(({ newest_picture: date }) => date !== null).length };
}
