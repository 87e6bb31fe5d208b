import type { ListedField } from '../../api/fields.js';
import { isSearchedFor } from '../fields/dayState.js';

/** How far the search for pictures is: fields that scenes were looked for, and fields that have a picture. */
export interface PictureCount {
  readonly total: number;
  readonly lookedAt: number;
  readonly withPicture: number;
}

/** Counts the monitored fields of an enrollment. */
export function pictureCount(listed: readonly ListedField[], enrollmentId: string): PictureCount {
  const own = listed.filter(
    ({ enrollments, errors }) => errors === null && enrollments.some(({ enrollment_id: id }) => id === enrollmentId),
  );
  return {
    total: own.length,
    lookedAt: own.filter((field) => !isSearchedFor(field)).length,
    withPicture: own.filter(({ newest_picture: date }) => date !== null).length,
  };
}
