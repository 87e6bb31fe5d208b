import { fieldFaults } from '../errors/catalogue.js';
import { FieldFailure } from './fieldFailure.js';

/** Steps that the checks of one field may take: a few tenths of a second. Ordinary fields need a thousandth of it. */
const MAX_STEPS = 30_000_000;

/** Counts the steps of one field's checks, so that a boundary made to be slow fails instead of holding everybody up. */
export class WorkBudget {
  #left = MAX_STEPS;

  /** @throws FieldFailure when the field has used up its steps */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new FieldFailure(
      fieldFaults.tooComplex,
      'The boundary runs back and forth too often to be checked; simplify it.',
    );
  }
}
