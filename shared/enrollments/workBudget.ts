import { fieldFaults } from '../errors/catalogue.js';
import { FieldFailure } from './fieldFailure.js';

/** Steps that the checks of one field may take: a few tenths of a second. Ordinary fields need a hundredth of it. */
const STEPS_OF_FIELD = 10_000_000;
/** Steps that all fields of an enrollment may take together: some seconds. */
const STEPS_OF_ENROLLMENT = 100_000_000;

/** Counts the steps of checks, so that boundaries made to be slow fail instead of holding everybody up. */
export class WorkBudget {
  #left = STEPS_OF_ENROLLMENT;
  #leftOfField = STEPS_OF_FIELD;

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
