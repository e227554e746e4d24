import { useLocation } from 'preact-iso/router';
import { useAnnounce } from '../../app/announcer.tsx';
import { homeOf, useSession } from '../../app/session.tsx';

/** Makes the function that ends a change: loads the account again, opens its page (in a sign-up, its next step) and announces the result. */
export function useDone(): (words: string) => Promise<void> {
  const { refresh } = useSession();
  const { route } = useLocation();
  const announce = useAnnounce();
  return async (words) => {
    const now = await refresh();
    const continues = now.kind === 'signed_in' && now.account.nextStep !== 'none';
    route(continues ? homeOf(now.account) : '/account', continues);
    announce(words);
  };
}
