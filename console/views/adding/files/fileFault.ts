/** A file can't be read; the text names what is wrong with it, the limit and what to do. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}

/** A text of a file, short enough for a sentence. */
export const shownText = (text: string): string => text.trim().slice(0, 60).replaceAll(/\p{C}/gu, '?');
