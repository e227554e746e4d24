/** Values of the policy for a member's second factor, a verification code; configured per environment in `lib/config`. */
export const memberVerifications = ['never', 'always', 'risk'] as const;

export type MemberVerification = (typeof memberVerifications)[number];
