import * as z from 'zod/mini';
import { languages } from '../catalog/languages.ts';

/** Schemas of the items the authorization store reads back: a security decision follows. */
const request = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.optional(z.string()),
  scope: z.string(),
  codeChallenge: z.optional(z.string()),
  nonce: z.optional(z.string()),
  expectedSub: z.optional(z.string()),
});

export const storedInteraction = z.object({
  interactionId: z.string(),
  state: z.enum(['signing-in', 'verifying', 'consenting', 'answered']),
  request: z.optional(request),
  language: z.optional(z.enum(languages)),
  expiresAt: z.number(),
  member: z.optional(z.object({ sub: z.string(), patientId: z.string(), displayName: z.string() })),
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
  nonce: z.optional(z.string()),
  grantId: z.string(),
  sub: z.string(),
  patientId: z.string(),
  authTime: z.number(),
  expiresAt: z.number(),
  grantExpiresAt: z.optional(z.number()),
});
