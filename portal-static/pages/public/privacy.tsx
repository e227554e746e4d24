/** Public page: the portal's privacy notice. */

import { type PortalCookie, portalCookies } from '../../../lambdas/portal/catalog/cookie-uses.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { site } from '../../app/site.ts';
import { DataTable } from '../../components/display.tsx';

const cookies = Object.entries(portalCookies);

function keptFor(cookie: (typeof portalCookies)[PortalCookie]): string {
  const maxAgeSeconds = 'maxAgeSeconds' in cookie ? cookie.maxAgeSeconds : undefined;
  if (maxAgeSeconds === undefined) return 'When you sign out or close the browser';
  return maxAgeSeconds < 86_400 ? `${maxAgeSeconds / 60} minutes` : `${maxAgeSeconds / 86_400} days`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function Privacy() {
  return (
    <div class="page page--text prose">
      <h1>Privacy</h1>
      <p class="page__lead">
        This portal is for developers. It has no data about health plan members and cannot access their data.
      </p>
      <h2>Information we keep about you</h2>
      <p>
        We keep the information you enter when you sign up: your name, company, e-mail address and phone
        number. For a payer or brokerage entity, we also keep its address and contacts. We use this
        information to identify who is responsible for an application and to contact you.
      </p>
      <p>
        We keep a dated record of what you and our operators do with your applications. You can see the record
        in the timeline.
      </p>
      <h2>Cookies</h2>
      <p>The portal sets {cookies.length} first-party cookies. We do not track visits or use advertising.</p>
      <DataTable
        caption="Cookies of the portal"
        columns={['Name', 'Purpose', 'Expires']}
        rows={cookies.map(([name, cookie]) => ({
          key: name,
          cells: [<code key="name">{name}</code>, capital(cookie.purpose), keptFor(cookie)],
        }))}
      />
      <p>
        A session ends after {portalLimits.sessionIdleSeconds / 60} minutes without a request, and after{' '}
        {portalLimits.sessionSeconds / 3600} hours at most.
      </p>
      <p>
        Your browser tab keeps what you type into a form until you send it, so that you do not lose it when a
        session ends. The tab never keeps passwords or codes.
      </p>
      <h2>Your choices</h2>
      <p>
        You can change your information, sign out everywhere, and close your account under{' '}
        <a href="/account">Account</a>. For other questions, write to{' '}
        <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>.
      </p>
    </div>
  );
}
