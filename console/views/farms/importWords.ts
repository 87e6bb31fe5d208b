import { hasImportEnded, type FarmImport, type ImportFault } from '../../api/farmImport.js';
import type { Step } from '../../parts/steps.js';
import type { ImportState } from './useImport.js';

/** `1 field`, `2 fields`. */
export const fieldsText = (count: number): string => `${count} ${count === 1 ? 'field' : 'fields'}`;

const countText = ({ written, failed, total }: FarmImport): string =>
  total === 0 ? '' : `${written + failed} of ${total}`;

/** The steps of an import: the file on its way, its fields one by one, the end. */
export function importSteps({ state, isBusy, error }: ImportState): readonly Step[] {
  if (state === undefined) {
    return [
      { text: 'Sending the file', state: error === undefined ? 'now' : 'failed' },
      { text: 'Writing fields', state: 'open' },
    ];
  }
  const hasEnded = hasImportEnded(state);
  const writing: Step['state'] = state.status === 'Failed' ? 'failed' : hasEnded ? 'done' : isBusy ? 'now' : 'open';
  return [
    { text: 'File is there', state: 'done' },
    { text: 'Writing fields', state: writing, note: countText(state) },
  ];
}

/** How it ended, in a sentence. */
export function importOutcome({ written, failed }: FarmImport): string {
  if (failed === 0) return `${fieldsText(written)} imported.`;
  return `${fieldsText(written)} imported, ${failed} not: see why below. Mend them in the file and import it again; fields that are here already stay one.`;
}

/** Which feature a fault is about: people count from 1. */
export const faultName = ({ index, id }: ImportFault): string =>
  id === undefined ? `Feature ${index + 1}` : `Feature ${index + 1}, ${id}`;
