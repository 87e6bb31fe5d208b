import { operatorRolesOf, type OperatorRole } from './roles.js';
import {
  TokenRefusal,
  verifyTokenWith,
  type TokenRules,
  type VerifyToken,
  type VerifyTokenPorts,
} from './verifyToken.js';

/**
 * Who an `Authorization` header speaks for that operates the service: a person or a pipeline of the service's own tenant,
 * with a token of version 2. Tokens of tenants that are served are refused, whatever roles they carry.
 *
 * @param homeTenant `tid` of the service's own tenant; nobody operates the service when it is undefined
 */
export function verifyOperator(
  ports: VerifyTokenPorts,
  rules: Omit<TokenRules, 'isTenant' | 'version'>,
  homeTenant: string | undefined,
): VerifyToken<OperatorRole> {
  const isTenant = (tid: string): Promise<boolean> => Promise.resolve(tid === homeTenant);
  const verify = verifyTokenWith(ports, { ...rules, isTenant, version: '2.0' }, operatorRolesOf);
  return async (authorization) => {
    try {
      return await verify(authorization);
    } catch (error) {
      throw error instanceof TokenRefusal ? new TokenRefusal(error.reason, { cause: error, whose: WHOSE }) : error;
    }
  };
}

const WHOSE = 'the tenant that operates the service (OPERATE_TENANT)';
