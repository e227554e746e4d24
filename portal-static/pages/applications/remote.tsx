/** Hook and component: data that is read from the API. */

import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Outcome } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';

/** Something the API has: on its way, here, or kept back by a problem. */
export interface Remote<T> {
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  reload(): void;
  /** Replaces the value that was read before by the one an act returned. */
  replace(value: T): void;
}

/** @param key what is read: another key reads anew. */
export function useRemote<T>(read: () => Promise<Outcome<T>>, key: string): Remote<T> {
  const [state, setState] = useState<{ readonly value?: T; readonly problem?: Problem }>({});
  const turn = useRef(0);
  const load = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const outcome = await read();
    // An answer that a later request has overtaken is dropped.
    if (mine !== turn.current) return;
    setState((before) => (outcome.ok ? { value: outcome.value } : { ...before, problem: outcome.problem }));
  }, [key]);
  useEffect(() => {
    setState({});
    void load();
    return () => {
      turn.current += 1;
    };
  }, [load]);
  return {
    value: state.value,
    problem: state.problem,
    reload: () => void load(),
    replace: (value) => setState({ value }),
  };
}

/** Shows what was read, or why it could not be. */
export function Loaded<T>(props: {
  readonly remote: Remote<T>;
  /** Said while it takes long: "Reading the application…" */
  readonly words: string;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { value, problem, reload } = props.remote;
  if (value !== undefined) return <>{props.children(value)}</>;
  if (problem !== undefined) return <ProblemAlert problem={problem} retry={reload} />;
  return <Progress words={props.words} />;
}

/** One act at a time: the running act, and the problem of the last one. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const run = async <T,>(act: () => Promise<Outcome<T>>): Promise<Outcome<T> | undefined> => {
    if (busy) return undefined;
    setBusy(true);
    setProblem(undefined);
    const outcome = await act();
    setBusy(false);
    if (!outcome.ok) setProblem(outcome.problem);
    return outcome;
  };
  return { busy, problem, run, setProblem };
}
