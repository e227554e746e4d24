import type { AccountView, CredentialsView } from '../../../lambdas/portal/api/views.ts';

/** Texts about secrets and about keys, and the API routes that rotate and stop them. */
export const credentialWords = {
  secret: {
    thing: 'client secret',
    short: 'secret',
    rotate: 'rotate-secret',
    stop: 'stop-secret',
    fails: 'Token requests with it are refused (401)',
  },
  key: {
    thing: 'subscription key',
    short: 'key',
    rotate: 'rotate-key',
    stop: 'stop-key',
    fails: 'Calls with it are refused (403)',
  },
} as const;

/** Options for how long the old secret or key stays valid after a rotation. */
export const overlaps = [
  {
    seconds: 0,
    label: 'Now',
    explanation:
      'The old one stops within 30 seconds, and calls with it fail. Choose this if someone else may know it.',
  },
  { seconds: 3600, label: '1 hour', explanation: 'For one server that you can update immediately.' },
  { seconds: 86_400, label: '1 day', explanation: 'For a deployment within a day.' },
  { seconds: 7 * 86_400, label: '7 days', explanation: 'For several servers that you update one by one.' },
  {
    seconds: 30 * 86_400,
    label: '30 days',
    explanation: 'The maximum. For a release that others install.',
  },
] as const;

/** Label of a value, with its number if there are several; for its copy button and for screen readers. */
export function ordinalLabel(kind: string, index: number, count: number): string {
  if (count === 1) return kind;
  return index === 0 ? `${kind} (newest)` : `${kind} (older)`;
}

/** Lines that set the newest credentials in a bash terminal, with the names that the commands of Get started use. */
export function exportLines({
  clientId,
  secrets: [secret],
  subscriptionKeys: [key],
}: Pick<CredentialsView, 'clientId' | 'secrets' | 'subscriptionKeys'>): string {
  const variables = { CLIENT_ID: clientId, CLIENT_SECRET: secret?.value, SUBSCRIPTION_KEY: key?.value };
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => `export ${name}='${value}'\n`).join('');
}

/** Whether the password was confirmed recently enough to show secrets. @param now milliseconds since 1970. */
export function areSecretsOpen(
  account: Pick<AccountView, 'secretsOpenUntil'> | undefined,
  now: number,
): boolean {
  return account?.secretsOpenUntil !== undefined && Date.parse(account.secretsOpenUntil) > now;
}
