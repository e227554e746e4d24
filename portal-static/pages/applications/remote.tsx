/** Hooks and component for data that is read from the API. */

import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Outcome } from '../../api/portal-client.ts';
import { type Problem, unanswered } from '../../api/problem.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { Progress } from '../../components/progress.tsx';

/** Data of the API: `value` once loaded, `problem` if loading failed, neither while loading. */
export interface Remote<T> {
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  reload(): void;
  /** Replaces the value by a newer one that another call returned. */
  replace(value: T): void;
}

/**
 * Reads data from the API.
 *
 * @param key identifies the data; they are read again when it changes.
 */
export function useRemote<T>(read: () => Promise<Outcome<T>>, key: string): Remote<T> {
  const [state, setState] = useState<{ readonly value?: T; readonly problem?: Problem }>({});
  const turn = useRef(0);
  const load = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const outcome = await read();
    // A newer request has begun, so this response is discarded.
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

/** Shows the loaded data, the progress or the problem. */
export function Loaded<T>(props: {
  readonly remote: Remote<T>;
  /** Text of the progress indicator: "Reading the application…" */
  readonly words: string;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { value, problem, reload } = props.remote;
  if (value !== undefined) return <>{props.children(value)}</>;
  if (problem !== undefined) return <ProblemAlert problem={problem} retry={reload} />;
  return <Progress words={props.words} />;
}

/** Runs one action at a time, with its pending state and the problem of the last action. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  // Not the state, which a second press in the same tick does not see yet.
  const running = useRef(false);
  const run = async <T,>(act: () => Promise<Outcome<T>>): Promise<Outcome<T> | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    const outcome = await act().catch(() => ({ ok: false, problem: unanswered }) as const);
    running.current = false;
    setBusy(false);
    if (!outcome.ok) setProblem(outcome.problem);
    return outcome;
  };
  return { busy, problem, run, setProblem };
}
