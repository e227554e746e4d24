/** Hook that reads an application's calls page by page, and looks for new ones while they are followed. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import { call } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { type CallFilterFields, callsQueryOf } from './call-filter-model.ts';
import { joinNewer, type ListedCalls, nextWaitMs, sinceOf } from './live-calls-model.ts';

export interface CallsPath {
  readonly applicationId: string;
  readonly environment: Environment;
}

export interface Calls {
  /** Undefined until the first page is there. */
  readonly listed: ListedCalls | undefined;
  readonly problem: Problem | undefined;
  /** The request in progress: for the first page, or for earlier calls. */
  readonly reading: 'first' | 'earlier' | undefined;
  /** Number of calls that the last look found, while new calls are followed. */
  readonly found: number | undefined;
  reload(): Promise<void>;
  earlier(): Promise<void>;
}

const nothing: ListedCalls = { calls: [] };

/**
 * Reads the calls that a filter asks for.
 *
 * @param live whether new calls are looked for. A look follows the last one after seconds, and later if there is nothing new; there is none
 * while the page is hidden.
 */
export function useCalls(path: CallsPath, filter: CallFilterFields, live: boolean): Calls {
  const [listed, setListed] = useState<ListedCalls>();
  const [problem, setProblem] = useState<Problem>();
  const [reading, setReading] = useState<'first' | 'earlier'>();
  const [found, setFound] = useState<number>();
  // The newest request for a page; the answers to older ones are discarded.
  const turn = useRef(0);
  const key = JSON.stringify([path, filter]);
  const read = useCallback(
    (query: Readonly<Record<string, string | undefined>>) =>
      call('GET /api/applications/{applicationId}/calls/{environment}', {
        path: { ...path },
        query: { ...callsQueryOf(filter, Date.now()), ...query },
      }),
    [key],
  );

  const page = useCallback(
    async (kind: 'first' | 'earlier', before?: ListedCalls) => {
      turn.current += 1;
      const mine = turn.current;
      setReading(kind);
      setProblem(undefined);
      const outcome = await read(before === undefined ? {} : { next: before.next });
      if (mine !== turn.current) return;
      setReading(undefined);
      if (!outcome.ok) return setProblem(outcome.problem);
      const { calls, next } = outcome.value;
      setListed({ calls: [...(before?.calls ?? []), ...calls], next });
    },
    [read],
  );

  const reload = useCallback(() => page('first'), [page]);
  useEffect(() => {
    // The calls of another filter would be taken for those of this one.
    setListed(undefined);
    setFound(undefined);
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);

  const state = useRef(listed);
  state.current = listed;
  const isReady = listed !== undefined;
  useEffect(() => {
    if (!live || !isReady) return setFound(undefined);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waitMs = nextWaitMs();
    let ended = false;
    const plan = () => {
      clearTimeout(timer);
      if (!ended && document.visibilityState === 'visible') timer = setTimeout(() => void look(), waitMs);
    };
    const look = async () => {
      const since = turn.current;
      const { calls } = state.current ?? nothing;
      const outcome = await read({
        from: sinceOf(calls, Date.now(), callsQueryOf(filter, Date.now()).from),
        limit: '200',
      });
      // A page that was read meanwhile has the new calls too.
      if (ended || since !== turn.current) return plan();
      if (outcome.ok) {
        const { listed, added } = joinNewer(state.current ?? nothing, outcome.value);
        setListed(listed);
        setFound(added);
        setProblem(undefined);
        waitMs = nextWaitMs(waitMs, added);
      } else {
        setProblem(outcome.problem);
        waitMs = nextWaitMs(waitMs, 0);
      }
      plan();
    };
    const whenShown = () => {
      if (document.visibilityState !== 'visible') return clearTimeout(timer);
      waitMs = nextWaitMs();
      void look();
    };
    document.addEventListener('visibilitychange', whenShown);
    plan();
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', whenShown);
    };
  }, [live, isReady, read]);

  return {
    listed,
    problem,
    reading,
    found,
    reload,
    earlier: async () => {
      if (reading === undefined && listed?.next !== undefined) await page('earlier', listed);
    },
  };
}
