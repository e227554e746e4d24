/** Page "Your account": name, addresses, password, and links to change each. */

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { developerTypes } from '../../../lambdas/portal/catalog/account-states.ts';
import { call } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Facts, Time } from '../../components/display.tsx';

export default function Account() {
  const { account } = useSession();
  if (account === undefined) return null;
  const change = (href: string, what: string) => (
    <a class="facts__change" href={href}>
      Change<span class="usa-sr-only"> {what}</span>
    </a>
  );
  return (
    <Page title="Your account" width="text">
      <Facts
        facts={[
          [
            'Name',
            <>
              {account.firstName} {account.lastName} {change('/account/name', 'your name')}
            </>,
          ],
          [
            'E-mail address',
            <>
              {account.email} {change('/account/email', 'your e-mail address')}
            </>,
          ],
          [
            'Phone',
            <>
              {spoken(account.phone)} {change('/account/phone', 'your phone number')}
            </>,
          ],
          ['User name', account.username ?? 'none'],
          ['Password', change('/account/password', 'your password')],
          ...(account.role === 'operator'
            ? [['Authenticator app', <AuthenticatorFact key="app" />] as const]
            : []),
          ['Company', account.company],
          ...(account.developerType === undefined
            ? []
            : [['Signed up as', developerTypes[account.developerType].name] as const]),
          ['Created', <Time key="since" at={account.createdAt} />],
        ]}
      />
      <SignOutEverywhere />
      <h2>Close the account</h2>
      <p>
        <a href="/account/close">Close your account</a>. Your team’s applications stay with the other members
        of the team.
      </p>
    </Page>
  );
}

function AuthenticatorFact() {
  const { account } = useSession();
  const since = account?.authenticatorSince;
  return (
    <>
      {since === undefined ? 'none (we send a code when you sign in)' : <Time at={since} />}{' '}
      <a class="facts__change" href="/account/authenticator">
        {since === undefined ? 'Set up' : 'Replace'}
        <span class="usa-sr-only"> your authenticator app</span>
      </a>
    </>
  );
}

/** Formats a number in E.164 as in the US: `+12025550123` as `(202) 555-0123`. */
function spoken(phone: string | undefined): string {
  return phone?.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3') ?? 'none';
}

function SignOutEverywhere() {
  const { forget } = useSession();
  const { route } = useLocation();
  const announce = useAnnounce();
  const [problem, setProblem] = useState<Problem>();
  const end = async () => {
    const outcome = await call('DELETE /api/sessions');
    if (!outcome.ok) return setProblem(outcome.problem);
    forget();
    announce('All sessions have ended.');
    route('/sign-in', true);
  };
  return (
    <>
      <h2>Sign out everywhere</h2>
      <p>This ends your sessions in all browsers, including this one. Use it if you lost a device.</p>
      {problem !== undefined && <ProblemAlert problem={problem} focus />}
      <button type="button" class="usa-button usa-button--outline" onClick={() => void end()}>
        Sign out everywhere
      </button>
    </>
  );
}
