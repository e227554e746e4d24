import { useLocation } from 'preact-iso/router';
import { useAnnounce } from '../../app/announcer.tsx';
import { useSession } from '../../app/session.tsx';

/** After a change: back to the account, which shows what it is now. */
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
