/**
 * Policies for a member's second factor, a verification code: never, at every sign-in, or by risk (after failed attempts, in a browser
 * that the account has not used). Configured per environment in `lib/config`; the sign-in of `authorize` reads it.
 */
export const memberVerifications = ['never', 'always', 'risk'] as const;

export type MemberVerification = (typeof memberVerifications)[number];
