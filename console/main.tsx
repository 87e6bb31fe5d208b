import { render } from 'preact';
import '@preact/signals';
import { followAddress } from './router.js';
import { followLocalCode, takeLocalCode } from './session/localSignIn.js';
import { returnFromLogin } from './session/returnFromLogin.js';
import { Shell } from './shell.js';
import { followTheme } from './theme.js';
import { guardSinks } from './trustedTypes.js';

guardSinks();
const isSigningIn = takeLocalCode() ?? returnFromLogin();
followTheme();
followAddress();
followLocalCode();
const root = document.getElementById('console');
if (root !== null) render(<Shell isSigningIn={isSigningIn} />, root);
