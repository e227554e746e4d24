/** Context that the Lambda authorizer gives to the functions: its fields, as both sides parse them. */

import * as s from '../../platform/kernel/shapes.ts';
import { interfaceNames } from '../interface-families.ts';

/**
 * Context that a LOB's authorizer passes to the function behind it (`event.requestContext.authorizer`). API Gateway carries only
 * strings there. `clientId` is missing when the subscription key names no application of ours or another one's: then
 * the authorizer also returns no `usageIdentifierKey`, the gateway answers 403 INVALID_API_KEY, and a function that is
 * reached all the same must refuse.
 */
const products = s.mapped(s.text, (text) => {
  const names = text.split(' ');
  return interfaceNames.filter((name) => names.includes(name));
});

/** A number as text. */
const numberText = s.mapped(s.text, Number);

/** Behind `member` routes. */
export const memberContext = s.object({
  clientId: s.text,
  /** Space-separated interface names the application subscribed to. */
  products,
  grantId: s.text,
  patientId: s.text,
  /** Space-separated granted scopes. */
  scope: s.text,
  tokenId: s.text,
  /** Seconds since 1970, as text: a cached policy may outlive the token, so the function looks again. */
  tokenExpiresAt: numberText,
});

/** Behind `backend` routes: a token of the client credentials grant, which names no member. */
export const backendContext = s.object({
  clientId: s.text,
  products,
  /** Space-separated granted scopes. */
  scope: s.text,
  /** Seconds since 1970, as text. */
  tokenExpiresAt: numberText,
});

/** Behind `subscription` routes, and on the machine-to-machine token host. */
export const subscriptionContext = s.object({ clientId: s.text, products });

export type BackendContext = s.Shaped<typeof backendContext>;
export type MemberContext = s.Shaped<typeof memberContext>;
