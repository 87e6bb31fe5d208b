import { render } from 'preact';
import '@preact/signals';
import { followNetwork } from './api/connection.js';
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
followNetwork();
followLocalCode();
const root = document.getElementById('console');
if (root !== null) render(<Shell isSigningIn={isSigningIn} />, root);
