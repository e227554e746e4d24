/** The sandbox calls that production asks for, by an application's grant type. Without the routes, which pages do not need. */

import { type Interface, type InterfaceCaller, interfaceFamilies } from '../../catalog/interface-families.ts';

export type PortalGrantType = 'authorization_code' | 'client_credentials';

/** Kinds of credentials that an application of each grant type can get. */
export const callersOf: Readonly<Record<PortalGrantType, readonly InterfaceCaller[]>> = {
  authorization_code: ['member', 'key'],
  client_credentials: ['backend', 'key'],
};

/**
 * Whether production requires a successful sandbox call of a product. A back-end service shows Patient Access, which it has no credentials
 * for, by a token.
 */
export function isCallAskedFor(product: Interface, grantType: PortalGrantType): boolean {
  return (
    grantType === 'client_credentials' || callersOf[grantType].includes(interfaceFamilies[product].caller)
  );
}
