import { type PortalCookie, portalCookies } from '../../../lambdas/portal/catalog/cookie-uses.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { site } from '../../app/site.ts';
import { DataTable } from '../../components/display.tsx';

const cookies = Object.entries(portalCookies);

function keptFor(cookie: (typeof portalCookies)[PortalCookie]): string {
  const maxAgeSeconds = 'maxAgeSeconds' in cookie ? cookie.maxAgeSeconds : undefined;
  if (maxAgeSeconds === undefined) return 'Until you sign out or close the browser';
  return maxAgeSeconds < 86_400 ? `${maxAgeSeconds / 60} minutes` : `${maxAgeSeconds / 86_400} days`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function Privacy() {
  return (
    <div class="page page--text prose">
      <h1>Privacy</h1>
      <p class="page__lead">
        This portal is for developers. It holds no data about health plan members, and nothing here can read
        any.
      </p>
      <h2>What we keep about you</h2>
      <p>
        What you type when you sign up: your name, your company, your e-mail address and your phone number.
        For a payer or brokerage entity also its address and its contacts. We use it to know who is behind an
        application, and to reach you.
      </p>
      <p>
        What you and our operators do with your applications is kept with its date, so that both sides can see
        it in the timeline.
      </p>
      <h2>Cookies</h2>
      <p>
        The portal sets {cookies.length} cookies, all of its own. We measure no visits and load nothing for
        advertising.
      </p>
      <DataTable
        caption="Cookies of the portal"
        columns={['Name', 'What it does', 'How long it is kept']}
        rows={cookies.map(([name, cookie]) => ({
          key: name,
          cells: [<code key="name">{name}</code>, capital(cookie.purpose), keptFor(cookie)],
        }))}
      />
      <p>
        A session ends after {portalLimits.sessionIdleSeconds / 60} minutes without a request, and after{' '}
        {portalLimits.sessionSeconds / 3600} hours in any case, whatever the browser keeps.
      </p>
      <p>
        What you type into a form stays in your browser’s tab until you send it, so that nothing is lost when
        a session ends. Passwords and codes are never kept there.
      </p>
      <h2>Your choices</h2>
      <p>
        You can change what we know about you, sign out everywhere, and close your account under{' '}
        <a href="/account">Account</a>. For anything else write to{' '}
        <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>.
      </p>
    </div>
  );
}
