/**
 * Whether a call that brings a member's access token needs `x-api-subscription-key` beside it.
 *
 * - `required`: every call needs a key (docs/service.md S6.4).
 * - `optional`: the token alone lets the call in, metered by its application, so that a SMART app that knows nothing of the header
 *   works unchanged. Calls without a token (client credentials, Provider Directory) need the key all the same.
 */
export const subscriptionKeyRequirements = ['required', 'optional'] as const;
export type SubscriptionKeyRequirement = (typeof subscriptionKeyRequirements)[number];
