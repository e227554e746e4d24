/** Page for an account that waits for an operator's verification. */

import { useState } from 'preact/hooks';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { site } from '../../app/site.ts';
import { SignUpSteps } from './sign-up-parts.tsx';
import { useStep } from './use-step.ts';

export default function AwaitVerification() {
  const account = useStep('await_verification');
  const { refresh } = useSession();
  const announce = useAnnounce();
  const [looking, setLooking] = useState(false);
  if (account === undefined) return null;
  const look = async () => {
    if (looking) return;
    setLooking(true);
    const state = await refresh();
    setLooking(false);
    if (state.kind === 'signed_in' && state.account.nextStep === 'await_verification') {
      announce('There is no decision yet.');
    }
  };
  return (
    <Page
      title="We are verifying your organization"
      lead={`An operator verifies the information about ${account.company}.`}
    >
      <SignUpSteps kind="organization" current={3} />
      <h2>What happens next</h2>
      <ul>
        <li>We verify your company, its domain and its contacts. We may call one of the contacts.</li>
        <li>We send the decision to {account.email}. You do not need to keep this page open.</li>
        <li>After approval, you can register applications and use the sandbox.</li>
      </ul>
      <p>
        <button
          type="button"
          class="usa-button usa-button--outline"
          aria-disabled={looking}
          onClick={() => void look()}
        >
          Check for a decision
        </button>
      </p>
      <p>
        While you wait, you can <a href="/docs">read the documentation</a>. To correct your information, write
        to <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>, or{' '}
        <a href="/account/close">start over</a>.
      </p>
    </Page>
  );
}
