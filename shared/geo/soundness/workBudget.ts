import { fieldFaults } from '../../kit/errors/catalogue.js';
import { FieldFailure } from './fieldFailure.js';

/** Steps that the checks of one field may take: a few tenths of a second. Ordinary fields need a hundredth of it. */
const STEPS_OF_FIELD = 10_000_000;
/** Steps that all fields of an enrollment may take together: some seconds. */
const STEPS_OF_ENROLLMENT = 100_000_000;
/** Steps that each byte of a submission adds to those of one field: a small submission has fewer than a large one. */
const STEPS_OF_BYTE = 2;

/** Counts the steps of checks: boundaries that would take too long fail instead of delaying others. */
export class WorkBudget {
  readonly #steps: number;
  #left: number;
  #leftOfField = STEPS_OF_FIELD;

  /** @param bytes of the submission; the largest when absent @param spent on fields of it that were checked before */
  constructor(bytes = Infinity, spent = 0) {
    this.#steps = Math.min(STEPS_OF_ENROLLMENT, STEPS_OF_FIELD + bytes * STEPS_OF_BYTE);
    this.#left = this.#steps - spent;
  }

  /** Steps so far, those before included. */
  get spent(): number {
    return this.#steps - this.#left;
  }

  /** Begins the next field of the enrollment. */
  nextField(): void {
    this.#leftOfField = STEPS_OF_FIELD;
  }

  /** @throws FieldFailure when the field, or the whole enrollment, has used up its steps */
  spend(steps: number): void {
    this.#left -= steps;
    this.#leftOfField -= steps;
    if (this.#left >= 0 && this.#leftOfField >= 0) return;
    const text = 'The boundary runs back and forth too often to be checked; simplify it.';
    throw new FieldFailure(fieldFaults.tooComplex, text);
  }
}
