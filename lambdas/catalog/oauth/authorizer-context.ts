/** Context that the Lambda authorizer gives to the functions: its fields, as both sides parse them. */

import * as z from 'zod/mini';
import { interfaceNames } from '../interfaces.ts';

/**
 * Context that a LOB's authorizer passes to the function behind it (`event.requestContext.authorizer`). API Gateway carries only
 * strings there. `clientId` is missing when the subscription key names no application of ours or another one's: then
 * the authorizer also returns no `usageIdentifierKey`, the gateway answers 403 INVALID_API_KEY, and a function that is
 * reached all the same must refuse.
 */
const products = z.pipe(
  z.string(),
  z.transform((text) => interfaceNames.filter((name) => text.split(' ').includes(name))),
);

/** Behind `member` routes. */
export const memberContext = z.object({
  clientId: z.string(),
  /** Space-separated interface names the application subscribed to. */
  products,
  grantId: z.string(),
  patientId: z.string(),
  /** Space-separated granted scopes. */
  scope: z.string(),
  tokenId: z.string(),
  /** Seconds since 1970, as text: a cached policy may outlive the token, so the function looks again. */
  tokenExpiresAt: z.pipe(z.string(), z.transform(Number)),
});

/** Behind `backend` routes: a token of the client credentials grant, which names no member. */
export const backendContext = z.object({
  clientId: z.string(),
  products,
  /** Space-separated granted scopes. */
  scope: z.string(),
  /** Seconds since 1970, as text. */
  tokenExpiresAt: z.pipe(z.string(), z.transform(Number)),
});

/** Behind `subscription` routes, and on the machine-to-machine token host. */
export const subscriptionContext = z.object({ clientId: z.string(), products });

export type BackendContext = z.infer<typeof backendContext>;
export type MemberContext = z.infer<typeof memberContext>;
