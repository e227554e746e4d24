import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Problem, problemWords } from '../api/problem.ts';

/** A USWDS alert. Screen readers announce `info` and `success` when they are idle, `warning` and `error` at once. */
export function Alert(props: {
  readonly kind: 'info' | 'success' | 'warning' | 'error';
  readonly title?: string;
  /** Whether the alert takes the focus when it appears; for the result of an action. */
  readonly focus?: boolean;
  readonly children?: ComponentChildren;
}) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (props.focus === true) element.current?.focus();
  }, []);
  const urgent = props.kind === 'error' || props.kind === 'warning';
  return (
    <div
      ref={element}
      class={`usa-alert usa-alert--${props.kind}`}
      role={urgent ? 'alert' : 'status'}
      {...(props.focus === true ? { tabIndex: -1 } : {})}
    >
      <div class="usa-alert__body">
        {props.title !== undefined && <p class="usa-alert__heading">{props.title}</p>}
        <div class="usa-alert__text">{props.children}</div>
      </div>
    </div>
  );
}

/** A problem that the API returned: what failed, what to do, and the request ID for a server error. */
export function ProblemAlert(props: {
  readonly problem: Problem;
  /** Heading of the alert: the meaning of the problem on this page. */
  readonly title?: string;
  readonly retry?: () => void;
  readonly focus?: boolean;
}) {
  const { problem } = props;
  const again = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => () => {
      // After a successful retry the focused button is removed, so the focus moves to the heading.
      if (again.current !== null && again.current === document.activeElement) {
        document.querySelector('h1')?.focus();
      }
    },
    [],
  );
  return (
    <Alert
      kind="error"
      focus={props.focus ?? false}
      {...(props.title === undefined ? {} : { title: props.title })}
    >
      <p>{problemWords(problem)}</p>
      {problem.code === 'defect' && (
        <p>
          Request id: <code>{problem.requestId}</code>
        </p>
      )}
      {props.retry !== undefined && (
        <button ref={again} type="button" class="usa-button usa-button--outline" onClick={props.retry}>
          Try again
        </button>
      )}
    </Alert>
  );
}
