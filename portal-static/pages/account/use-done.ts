import { useLocation } from 'preact-iso/router';
import { useAnnounce } from '../../app/announcer.tsx';
import { useSession } from '../../app/session.tsx';

/** Makes the function that ends a change: loads the account again, opens its page and announces the result. */
export function useDone(): (words: string) => Promise<void> {
  const { refresh } = useSession();
  const { route } = useLocation();
  const announce = useAnnounce();
  return async (words) => {
    await refresh();
    route('/account');
    announce(words);
  };
}
