import { portalLimits } from '../../../lambdas/catalog/portal-limits.ts';
import { site } from '../../app/site.ts';

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
        One cookie keeps you signed in. It ends after {portalLimits.sessionIdleSeconds / 60} minutes without a
        request, and after {portalLimits.sessionSeconds / 3600} hours in any case. We measure no visits and
        load nothing for advertising.
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
