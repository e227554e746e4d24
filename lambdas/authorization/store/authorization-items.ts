import * as z from 'zod/mini';
import { languages } from '../../catalog/languages.ts';
import { prompts } from '../../catalog/oauth/prompts.ts';
import { type RepresentativeRole, representativeRoles } from '../../catalog/oauth/representative-roles.ts';

/** Schemas of the items that the authorization store reads. They are parsed strictly, because security decisions follow from them. */

const roles = Object.keys(representativeRoles) as [RepresentativeRole, ...RepresentativeRole[]];

export const storedRepresentative = z.object({
  representativeId: z.string(),
  name: z.string(),
  role: z.enum(roles),
  until: z.optional(z.number()),
});

export const storedRepresentedBy = z.object({ representativeId: z.string(), until: z.optional(z.number()) });

const storedAccount = { sub: z.string(), sessionEpoch: z.optional(z.number()) };

/** An account and the patient it acts for, as stored in interactions and SSO sessions. */
export const storedSignedInMember = z.object({
  ...storedAccount,
  patientId: z.string(),
  displayName: z.string(),
  representative: z.optional(storedRepresentative),
});

const request = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.optional(z.string()),
  scope: z.string(),
  requestedScope: z.optional(z.string()),
  codeChallenge: z.optional(z.string()),
  nonce: z.optional(z.string()),
  expectedSub: z.optional(z.string()),
  authentication: z.optional(
    z.object({
      prompts: z.array(z.enum(prompts)),
      maxAge: z.optional(z.number()),
      acrValues: z.optional(z.string()),
      loginHint: z.optional(z.string()),
    }),
  ),
});

export const storedInteraction = z.object({
  interactionId: z.string(),
  state: z.enum(['signing-in', 'verifying', 'choosing', 'consenting', 'answered']),
  request: z.optional(request),
  language: z.optional(z.enum(languages)),
  expiresAt: z.number(),
  account: z.optional(z.object(storedAccount)),
  member: z.optional(storedSignedInMember),
  authTime: z.optional(z.number()),
  verification: z.optional(
    z.object({
      mac: z.string(),
      channel: z.enum(['email', 'sms']),
      destination: z.string(),
      name: z.string(),
      sentAt: z.number(),
      expiresAt: z.number(),
      tries: z.number(),
    }),
  ),
  keep: z.optional(z.boolean()),
  providerAttempt: z.optional(
    z.object({
      sha256: z.string(),
      issuer: z.string(),
      startedAt: z.number(),
      maxAge: z.optional(z.number()),
    }),
  ),
  ssoSessionId: z.optional(z.string()),
  continued: z.optional(z.boolean()),
});

export const storedCode = z.object({
  sha256: z.string(),
  state: z.enum(['issued', 'redeemed', 'ended']),
  clientId: z.string(),
  redirectUri: z.string(),
  codeChallenge: z.optional(z.string()),
  scope: z.string(),
  requestedScope: z.optional(z.string()),
  nonce: z.optional(z.string()),
  grantId: z.string(),
  sub: z.string(),
  patientId: z.string(),
  representedBy: z.optional(storedRepresentedBy),
  authTime: z.number(),
  expiresAt: z.number(),
  grantSeconds: z.optional(z.number()),
  grantExpiresAt: z.optional(z.number()),
});
