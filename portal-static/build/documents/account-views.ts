import * as z from 'zod';
import type * as views from '../../../lambdas/portal/api/views.ts';
import { developerTypeNames } from '../../../lambdas/portal/catalog/account-states.ts';
import { accountState, optional, time, view } from './view-schemas.ts';

/** Response schemas of accounts, sessions and teams. */

export const accountFields = {
  accountId: z.string(),
  version: z.number(),
  state: accountState,
  nextStep: z.enum(['verify_email', 'verify_phone', 'accept_terms', 'await_verification', 'none']),
  role: z.enum(['developer', 'operator']),
  developerType: optional(z.enum(developerTypeNames as readonly (typeof developerTypeNames)[number][])),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: optional(z.string()),
  username: optional(z.string()),
  company: z.string(),
  teamId: z.string(),
  codeSentTo: optional(z.string()),
  createdAt: time(),
  termsVersion: optional(z.string()),
  secretsOpenUntil: optional(time()),
  authenticatorSince: optional(time()),
};
export const account = view<views.AccountView>()(z.object(accountFields), 'Account');

export const signInSchema = view<views.SignInView>()(
  z.union([
    z.object({ next: z.literal('signed_in'), account }),
    z.object({
      next: z.literal('code'),
      sentTo: z.string(),
      channel: z.enum(['email', 'sms', 'authenticator']),
    }),
  ]),
  'SignIn',
);

export const authenticator = view<views.AuthenticatorView>()(
  z.object({ enrollment: z.string(), key: z.string(), uri: z.string() }),
  'Authenticator',
);

/** The response when a code was sent, with the masked destination. */
export const codeSent = z.object({ codeSentTo: z.string() }).meta({ id: 'CodeSent' });

export const invitation = z
  .object({ invitationId: z.string(), email: z.string(), invitedBy: z.string(), expiresAt: time() })
  .meta({ id: 'Invitation' });

export const shownInvitation = view<views.InvitationView>()(
  z.object({ team: z.string(), invitedBy: z.string(), email: z.string(), expiresAt: time() }),
  'ShownInvitation',
);

export const team = view<views.TeamView>()(
  z.object({
    teamId: z.string(),
    name: z.string(),
    members: z.array(
      z.object({
        accountId: z.string(),
        name: z.string(),
        email: z.string(),
        role: z.enum(['owner', 'member']),
        joinedAt: time(),
      }),
    ),
    invitations: z.array(invitation),
  }),
  'Team',
);
