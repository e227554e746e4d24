/**
 * Whether a call with a member's access token also needs `x-api-subscription-key`. `required`: every call needs a key (docs/service.md
 * S6.4). `optional`: the token alone suffices, and the call is metered by the token's application, so that a SMART app which does not know
 * the header works unchanged. Calls without a member's token (client credentials, Provider Directory) need the key in either case.
 */
export const subscriptionKeyRequirements = ['required', 'optional'] as const;
export type SubscriptionKeyRequirement = (typeof subscriptionKeyRequirements)[number];
