/** Page where a new account accepts the terms of use. */

import { useRef, useState } from 'preact/hooks';
import { call } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { NotLoadedPage, Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';
import { ScrollToAccept } from '../../components/scroll-to-accept.tsx';
import { kindOf, SignUpSteps } from './sign-up-parts.tsx';
import { useAgreement } from './use-agreement.ts';
import { useStep } from './use-step.ts';

export default function TermsOfUse() {
  const account = useStep('accept_terms');
  const termsOfUse = useAgreement('termsOfUse');
  const { refresh } = useSession();
  const [problem, setProblem] = useState<Problem>();
  const [pending, setPending] = useState(false);
  const busy = useRef(false);
  if (account === undefined) return null;
  if (termsOfUse === undefined) return <Progress words="Loading the text…" />;
  if (termsOfUse === 'failed') return <NotLoadedPage />;
  const accept = async () => {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    const outcome = await call('POST /api/account/terms', {
      body: { version: termsOfUse.version, scrolledToEnd: true, accepted: true },
    });
    if (outcome.ok) await refresh();
    else setProblem(outcome.problem);
    busy.current = false;
    setPending(false);
  };
  const kind = kindOf(account);
  const again = account.termsVersion !== undefined;
  return (
    <Page
      title={termsOfUse.title}
      lead={
        again
          ? 'The terms have changed since you accepted them.'
          : 'Read the terms to the end, then accept them.'
      }
    >
      {!again && <SignUpSteps kind={kind} current={kind === 'person' ? 3 : 2} />}
      {problem !== undefined && (
        <ProblemAlert
          problem={problem}
          focus
          {...(problem.code === 'terms_outdated' ? { retry: () => location.reload() } : {})}
        />
      )}
      <ScrollToAccept
        agreement={termsOfUse}
        action="Accept"
        pending={pending}
        onAccept={() => void accept()}
      />
    </Page>
  );
}
