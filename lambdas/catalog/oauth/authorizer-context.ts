/** Context that the Lambda authorizer passes to the functions: its fields, as both parse them. */

import * as s from '../../platform/kernel/shapes.ts';
import { interfaceNames } from '../interface-families.ts';

/**
 * Interfaces in the context that a LOB's authorizer passes to the function behind it (`event.requestContext.authorizer`), in which API
 * Gateway allows strings only. The context has no `clientId` if the subscription key is unknown or belongs to another application. Then the
 * authorizer returns no `usageIdentifierKey` either, API Gateway answers 403 INVALID_API_KEY, and a function must refuse the call if it is
 * reached.
 */
const products = s.mapped(s.text, (text) => {
  const names = text.split(' ');
  return interfaceNames.filter((name) => names.includes(name));
});

/** A number, which the authorizer's context carries as text. */
const numberText = s.mapped(s.text, Number);

/** Context of `member` routes. */
export const memberContext = s.object({
  clientId: s.text,
  /** Names of the interfaces that the application subscribed to, space-separated. */
  products,
  grantId: s.text,
  patientId: s.text,
  /** Granted scopes, space-separated. */
  scope: s.text,
  tokenId: s.text,
  /** Seconds since 1970, as text. The function checks it again, because API Gateway may cache the policy longer than the token is valid. */
  tokenExpiresAt: numberText,
});

/** Context of `backend` routes: a token of the client credentials grant, which names no member. */
export const backendContext = s.object({
  clientId: s.text,
  products,
  /** Granted scopes, space-separated. */
  scope: s.text,
  /** Seconds since 1970, as text. */
  tokenExpiresAt: numberText,
});

/** Context of routes that need a subscription key alone, and of the machine-to-machine token host. */
export const subscriptionContext = s.object({ clientId: s.text, products });

export type BackendContext = s.Shaped<typeof backendContext>;
export type MemberContext = s.Shaped<typeof memberContext>;
