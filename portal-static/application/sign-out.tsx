import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../api/portal-client.ts';
import type { Problem } from '../api/problem.ts';
import { useAnnounce } from '../app/announcer.tsx';
import { useSession } from '../app/session.tsx';
import { ProblemAlert } from '../components/alert.tsx';

/** Signs out. Shows an error if it failed: the page says "signed out" only after the API has confirmed it. */
export function useSignOut() {
  const { forget } = useSession();
  const { route, url } = useLocation();
  const announce = useAnnounce();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => setProblem(undefined), [url]);
  const signOut = async () => {
    setProblem(undefined);
    const outcome = await call('DELETE /api/session');
    if (!outcome.ok && outcome.problem.code !== 'signed_out') return setProblem(outcome.problem);
    forget();
    announce('You are signed out.');
    route('/sign-in', true);
  };
  return { problem, signOut: () => void signOut() };
}

/** The error of a failed sign-out, above the page. */
export function NotSignedOut({ problem, signOut }: ReturnType<typeof useSignOut>) {
  if (problem === undefined) return null;
  // Without a response the session may have ended.
  const still = problem.code === 'no_answer' ? 'may still be' : 'are still';
  return (
    <div class="page page--form page--notice">
      <ProblemAlert title={`You ${still} signed in`} problem={problem} retry={signOut} focus />
    </div>
  );
}
