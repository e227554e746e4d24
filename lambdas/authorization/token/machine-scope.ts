/** Scope of a client-credentials token. */

import { grantableSystemScope, isOperationScope, isSystemScope } from '../../catalog/oauth/system-scopes.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

type ScopeGrant = { readonly kind: 'scope'; readonly scope: string } | TokenRefusal;

/**
 * `<resource id>/.default`, as described, and for a payer with a verified organization the system scopes of SMART Backend Services that
 * Payer Access serves. A system scope is left out for any other client, and a scope of an operation for all: alone it grants nothing, and the
 * answer's `scope` never names it.
 */
export function grantMachineScope(
  client: OAuthClient,
  scope: string | undefined,
  resourceId: string,
): ScopeGrant {
  const asked = [...new Set((scope ?? '').split(' '))].filter((token) => token !== '');
  const standard = asked.filter((token) => token === `${resourceId}/.default`);
  const others = asked.filter((token) => token !== `${resourceId}/.default`);
  const unknown = others.find((token) => !isSystemScope(token) && !isOperationScope(token));
  const grantable = isVerifiedPayer(client)
    ? others.flatMap((token) => grantableSystemScope(token) ?? [])
    : [];
  const granted = [...standard, ...new Set(grantable)];
  if (unknown === undefined && granted.length > 0) return { kind: 'scope', scope: granted.join(' ') };
  const unserved = others.length > 0 && unknown === undefined;
  const description = `${faultOf(others, unknown)}scope must be ${resourceId}/.default`;
  return refuseToken('invalid_scope', description, unserved ? 'scope_unserved' : 'scope_unknown');
}

/** The fault of scopes of which none is granted, and what to ask instead. */
function faultOf(others: readonly string[], unknown: string | undefined): string {
  if (unknown !== undefined) return `the scope ${namedScope(unknown)} is not supported; `;
  if (others.length === 0) return '';
  const operation = others.find(isOperationScope);
  const instead =
    operation === undefined
      ? ''
      : `the scope ${namedScope(operation)} is not needed, because system/Patient.rs allows the operations of matching and export; `;
  return `${instead}system/ scopes are for payers with a verified organization and private_key_jwt; `;
}

/** A scope as a description may repeat it: short, in the characters of RFC 6749 section 5.2. */
function namedScope(token: string): string {
  return token.replace(/[^\x21\x23-\x5B\x5D-\x7E]/g, '?').slice(0, 120);
}

/** Whether an application may ask for members' data as another payer: its organization is verified, and it holds its own key. */
function isVerifiedPayer({ tokenEndpointAuthMethod, products, organization = [] }: OAuthClient): boolean {
  return (
    tokenEndpointAuthMethod === 'private_key_jwt' &&
    products.includes('payer-access') &&
    organization.length > 0
  );
}
