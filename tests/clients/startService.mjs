// The local environment as a newcomer has it, synthetic scenes included.
import { startWith } from '../contract/startService.mjs';

export default function startService() {
  return startWith(() => ({}));
}
