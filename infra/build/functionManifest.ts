/** The list of functions for the bundler, which writes it into what the host loads. */
import { functionTable } from '../../functions/functionTable.js';
import { manifestOf } from '../../shared/http/triggers/triggerTable.js';

export const functionManifest = manifestOf(functionTable);
