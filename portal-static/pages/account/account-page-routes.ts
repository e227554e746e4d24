/** Routes of the account pages (sign-up, sign-in, account, team), with the visitors who may see each. */

import type { PageRoute } from '../../app/page-route.ts';

export const accountPages: readonly PageRoute[] = [
  { path: '/sign-up', access: 'public', load: () => import('./sign-up-choice.tsx') },
  { path: '/sign-up/individual', access: 'public', load: () => import('./sign-up-person.tsx') },
  { path: '/sign-up/classic', access: 'public', load: () => import('./sign-up-person.tsx') },
  { path: '/sign-up/payer', access: 'public', load: () => import('./sign-up-organization.tsx') },
  { path: '/sign-up/brokerage', access: 'public', load: () => import('./sign-up-organization.tsx') },
  { path: '/verify-email', access: 'pending', load: () => import('./verify-email.tsx') },
  { path: '/verify-phone', access: 'pending', load: () => import('./verify-phone.tsx') },
  { path: '/terms-of-use', access: 'pending', load: () => import('./terms-of-use.tsx') },
  { path: '/await-verification', access: 'pending', load: () => import('./await-verification.tsx') },
  { path: '/sign-in', access: 'public', load: () => import('./sign-in.tsx') },
  { path: '/password-reset', access: 'public', load: () => import('./password-reset.tsx') },
  { path: '/invitation', access: 'public', load: () => import('./invitation.tsx') },
  { path: '/account', access: 'account', load: () => import('./account.tsx') },
  { path: '/account/name', access: 'account', load: () => import('./change-name.tsx') },
  { path: '/account/email', access: 'account', load: () => import('./change-email.tsx') },
  { path: '/account/phone', access: 'pending', load: () => import('./change-phone.tsx') },
  { path: '/account/password', access: 'account', load: () => import('./change-password.tsx') },
  { path: '/account/authenticator', access: 'account', load: () => import('./authenticator.tsx') },
  { path: '/account/close', access: 'pending', load: () => import('./close-account.tsx') },
  { path: '/team', access: 'developer', load: () => import('./team.tsx') },
];
