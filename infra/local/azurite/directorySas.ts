import { createHmac, timingSafeEqual } from 'node:crypto';
import { type DispatchedContext, loadSasParts, type SasAuthenticator, type SasParts } from './azuriteModules.js';
import { directoryStringToSign, signedDirectory, type SasQuery, type SasTarget } from './directorySasFields.js';

/** One request with `sr=d`, and where to look things up. */
interface Check {
  readonly authenticator: SasAuthenticator;
  readonly parts: SasParts;
  readonly decoded: SasQuery;
  readonly raw: SasQuery;
  readonly target: SasTarget;
  readonly operation: number;
  readonly protocol: string;
}

type Refusal = 'getAuthorizationFailure' | 'getAuthorizationProtocolMismatch' | 'getAuthorizationPermissionMismatch';

const optional = (text: string): string | undefined => (text === '' ? undefined : text);

/** The key that signs: the account's own, or the one a delegation key stands for while that is valid. */
function signingKey({ authenticator, parts, decoded, target }: Check): Buffer | undefined {
  if (decoded('skoid') === '') return authenticator.accountDataStore.getAccount(target.account)?.key1;
  if (decoded('sks') !== 'b' || !authenticator.validateTime(decoded('ske'), decoded('skt'))) return undefined;
  const fields = ['skoid', 'sktid', 'skt', 'ske', 'skv'].map(decoded);
  return Buffer.from(parts.delegationKey(...fields), 'base64');
}

function isSignedRight(check: Check): boolean {
  const { decoded, raw, target } = check;
  const directory = signedDirectory(target, decoded('sdd'));
  const key = signingKey(check);
  if (directory === undefined || key === undefined) return false;
  const text = directoryStringToSign(decoded, raw, { ...target, directory });
  const wanted = createHmac('sha256', key).update(text, 'utf8').digest();
  const given = Buffer.from(decoded('sig'), 'base64');
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** Why the request is refused, or undefined when it is allowed. */
function refusalOf(check: Check): Refusal | undefined {
  const { authenticator, parts, decoded, operation } = check;
  const isComplete = ['sig', 'sv', 'se', 'sp'].every((name) => decoded(name) !== '');
  if (!isComplete || !isSignedRight(check)) return 'getAuthorizationFailure';
  if (!authenticator.validateTime(decoded('se'), optional(decoded('st')))) return 'getAuthorizationFailure';
  if (!authenticator.validateProtocol(optional(decoded('spr')), check.protocol)) {
    return 'getAuthorizationProtocolMismatch';
  }
  const isGranted = parts.permissions.get(operation)?.validatePermissions(decoded('sp')) === true;
  return isGranted ? undefined : 'getAuthorizationPermissionMismatch';
}

/** The blob or the listing a request is about; anything else can't be allowed by a directory SAS. */
function targetOf(parts: SasParts, context: DispatchedContext, prefix: string): SasTarget | undefined {
  const { account, container, blob } = new parts.blobContext(context);
  const { Container_ListBlobFlatSegment: flat, Container_ListBlobHierarchySegment: hierarchy } = parts.operations;
  const isListing = context.operation === flat || context.operation === hierarchy;
  if (container === undefined || container === '') return undefined;
  const isBlob = blob !== undefined && blob !== '';
  return isBlob || isListing ? { account, container, name: isBlob ? blob : prefix, isListing } : undefined;
}

/**
 * Teaches Azurite the directory SAS (`sr=d`), which it refuses by itself, so that the app mints the same token here
 * as on Azure. Every other kind of SAS goes to Azurite's own check.
 */
export function addDirectorySas(parts: SasParts = loadSasParts()): void {
  const { prototype } = parts.authenticator;
  const stock = prototype.validate;
  prototype.validate = async function (request, context) {
    const raw: SasQuery = (name) => request.getQuery(name) ?? '';
    const decoded: SasQuery = (name) => decodeURIComponent(raw(name));
    if (decoded('sr') !== 'd') return stock.call(this, request, context);
    const target = targetOf(parts, context, raw('prefix'));
    const { operation } = context;
    const refusal =
      target === undefined
        ? 'getAuthorizationFailure'
        : refusalOf({ authenticator: this, parts, decoded, raw, target, operation, protocol: request.getProtocol() });
    if (refusal === undefined) return true;
    const { contextId } = new parts.blobContext(context);
    throw parts.errors[refusal]?.(contextId) ?? new Error(refusal);
  };
}
