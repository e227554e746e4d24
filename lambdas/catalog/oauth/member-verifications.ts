/** Policy for a member's second factor, a code; set for each environment in `lib/config`. */
export const memberVerifications = ['never', 'always', 'risk'] as const;

export type MemberVerification = (typeof memberVerifications)[number];
