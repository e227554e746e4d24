/** Field for a six-digit code, and the button that requests another code after a wait. */

import { useEffect, useState } from 'preact/hooks';
import { portalLimits } from '../../lambdas/portal/catalog/limits.ts';
import type { Outcome } from '../api/portal-client.ts';
import { type Problem, problemWords } from '../api/problem.ts';
import type { FieldProps } from './field.tsx';
import { TextField } from './text-field.tsx';

/** Field for a six-digit code, which browsers and phones can fill in from a message. */
export function CodeField<Name extends string>(props: Omit<FieldProps<Name>, 'label'>) {
  const { form } = props;
  return (
    <TextField
      {...props}
      // Removes spaces: some messages and people group the digits, as in 054 004.
      form={{ ...form, set: (name, value) => form.set(name, String(value).replace(/[\s-]+/g, '')) }}
      secret
      label="Code"
      hint={props.hint ?? `Enter 6 digits. The code is valid for ${portalLimits.codeSeconds / 60} minutes.`}
      inputMode="numeric"
      autocomplete="one-time-code"
      width="small"
      spellcheck={false}
    />
  );
}

type Resent =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly problem: Problem };

const storageKey = (name: string) => `code-wait:${name}`;

/** Seconds until another code can be requested. Kept in session storage, so that a reload does not restart the wait. */
function keptWait(name: string): number {
  const until = Number(sessionStorage.getItem(storageKey(name)) ?? Number.NaN);
  return Number.isNaN(until)
    ? portalLimits.codeResendSeconds
    : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

function keepWait(name: string, seconds: number): void {
  sessionStorage.setItem(storageKey(name), String(Date.now() + seconds * 1000));
}

const advice = {
  email: 'Didn’t get the code? Check your spam folder, wait a minute, then',
  phone: 'Didn’t get the code? Check that your phone has a signal, wait a minute, then',
} as const;

/** Button that requests another code: enabled after a minute, as often as the API allows. */
export function ResendCode(props: {
  readonly resend: () => Promise<Outcome<unknown>>;
  readonly channel: keyof typeof advice;
  /** Name under which the wait is stored. */
  readonly name: string;
  /** Called when a new code was sent, to remove messages about the previous code. */
  readonly onSent: () => void;
}) {
  const { name } = props;
  const [wait, setWait] = useState(() => keptWait(name));
  useEffect(() => keepWait(name, wait), []);
  const [state, setState] = useState<Resent>({ kind: 'waiting' });
  useEffect(() => {
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  const ask = async () => {
    if (wait > 0) return;
    const outcome = await props.resend();
    const refusal = outcome.ok ? undefined : outcome.problem;
    const retryAfter = refusal !== undefined && 'retryAfter' in refusal ? refusal.retryAfter : undefined;
    setState(refusal === undefined ? { kind: 'sent' } : { kind: 'refused', problem: refusal });
    const next = outcome.ok ? portalLimits.codeResendSeconds : (retryAfter ?? 0);
    keepWait(name, next);
    setWait(next);
    if (outcome.ok) props.onSent();
  };
  return (
    <div class="resend">
      <p>
        {advice[props.channel]}{' '}
        <button
          type="button"
          class="usa-button usa-button--unstyled"
          aria-disabled={wait > 0}
          onClick={() => void ask()}
        >
          send a new code
        </button>
        {/* Not a live region, so that screen readers do not announce each second. */}
        {wait > 0 && <span class="resend__wait"> (in {wait} seconds)</span>}
      </p>
      <p role="status">
        {state.kind === 'sent' && 'We sent a new code. Only the latest code works.'}
        {state.kind === 'refused' && problemWords(state.problem)}
      </p>
    </div>
  );
}
