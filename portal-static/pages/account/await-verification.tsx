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
      announce('We are still checking. Nothing has changed yet.');
    }
  };
  return (
    <Page
      title="We are checking your organization"
      lead={`A person confirms what you told us about ${account.company}.`}
    >
      <SignUpSteps kind="organization" current={3} />
      <h2>What happens now</h2>
      <ul>
        <li>We look at your company, its domain and its contacts. We may call one of them.</li>
        <li>We write to {account.email} as soon as it is decided. You need not keep this page open.</li>
        <li>After that you can register applications and use the sandbox.</li>
      </ul>
      <p>
        <button
          type="button"
          class="usa-button usa-button--outline"
          aria-disabled={looking}
          onClick={() => void look()}
        >
          Look whether it is decided
        </button>
      </p>
      <p>
        Meanwhile you can <a href="/docs">read the documentation</a>. If something you told us was wrong,
        write to <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>, or{' '}
        <a href="/account/close">drop this sign-up</a>.
      </p>
    </Page>
  );
}
