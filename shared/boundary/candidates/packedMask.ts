import type { CandidateMask } from './candidateMask.js';

const { imul, max, min } = Math;
const bitsPerWord = 32;

/** A mask with one bit per pixel. The words of a row begin at columns that are multiples of 32 of the window. */
export interface PackedMask {
  readonly top: number;
  readonly rows: number;
  /** Column of the window at which each row begins, divided by 32. */
  readonly firstWord: number;
  readonly wordsPerRow: number;
  /** [row][word] */
  readonly words: Int32Array;
}

/** Packs a mask, so that masks are compared 32 pixels at a time. */
export function packedMask({ top, left, bitmap: { width, height, data } }: CandidateMask): PackedMask {
  const firstWord = left >> 5;
  const wordsPerRow = ((left + width - 1) >> 5) - firstWord + 1;
  const words = new Int32Array(wordsPerRow * height);
  const shift = left - firstWord * bitsPerWord;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (data[row * width + column] !== 1) continue;
      const bit = shift + column;
      const word = row * wordsPerRow + (bit >> 5);
      words[word] = (words[word] ?? 0) | (1 << (bit & 31));
    }
  }
  return { top, rows: height, firstWord, wordsPerRow, words };
}

/** Pixels that two masks of one window share. */
export function sharedBits(a: PackedMask, b: PackedMask): number {
  const [first, last] = [max(a.top, b.top), min(a.top + a.rows, b.top + b.rows)];
  const [from, to] = [max(a.firstWord, b.firstWord), min(a.firstWord + a.wordsPerRow, b.firstWord + b.wordsPerRow)];
  let shared = 0;
  for (let row = first; row < last; row += 1) {
    const inA = (row - a.top) * a.wordsPerRow - a.firstWord;
    const inB = (row - b.top) * b.wordsPerRow - b.firstWord;
    for (let word = from; word < to; word += 1) {
      shared += bitsOf((a.words[inA + word] ?? 0) & (b.words[inB + word] ?? 0));
    }
  }
  return shared;
}

/** Number of set bits of a 32-bit word. @see Warren, Hacker's Delight, section 5-1 */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
