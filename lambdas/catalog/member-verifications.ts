/** When a member is asked for a code beside the password; decided for each environment in `lib/config`. */
export const memberVerifications = ['never', 'always', 'risk'] as const;

export type MemberVerification = (typeof memberVerifications)[number];
