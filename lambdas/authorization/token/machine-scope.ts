/** Scope of a client-credentials token. */

import {
  grantableSystemScope,
  isOperationScope,
  isSystemScope,
  scopeOfOperation,
} from '../../catalog/oauth/system-scopes.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

type ScopeGrant = { readonly kind: 'scope'; readonly scope: string } | TokenRefusal;

/**
 * Selects the scopes of a machine-to-machine token: `<resource id>/.default` (docs/service.md S6.3), and for a payer with a verified
 * organization also the system scopes of SMART Backend Services that Payer Access serves. System scopes of other clients are left out. Where
 * only operations are named, as clients of PDex do, the scopes of what they read are granted.
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
  const granted = [...standard, ...new Set(isVerifiedPayer(client) ? systemScopesOf(others) : [])];
  if (unknown === undefined && granted.length > 0) return { kind: 'scope', scope: granted.join(' ') };
  const unserved = others.length > 0 && unknown === undefined;
  const description = `${faultOf(others, unknown)}scope must be ${resourceId}/.default`;
  return refuseToken('invalid_scope', description, unserved ? 'scope_unserved' : 'scope_unknown');
}

function systemScopesOf(asked: readonly string[]): readonly string[] {
  const named = asked.flatMap((token) => grantableSystemScope(token) ?? []);
  return named.length > 0 ? named : asked.flatMap((token) => scopeOfOperation(token) ?? []);
}

/** Start of the error text if no scope can be granted: the fault, and what to request instead. */
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

/** A scope as the error text names it: at most 120 characters, with the characters that RFC 6749 section 5.2 allows. */
function namedScope(token: string): string {
  return token.replace(/[^\x21\x23-\x5B\x5D-\x7E]/g, '?').slice(0, 120);
}

/**
 * Whether an application may request members' data as another payer: its organization is verified, and it authenticates with its own key.
 */
function isVerifiedPayer({ tokenEndpointAuthMethod, products, organization = [] }: OAuthClient): boolean {
  return (
    tokenEndpointAuthMethod === 'private_key_jwt' &&
    products.includes('payer-access') &&
    organization.length > 0
  );
}
