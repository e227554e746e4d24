import { useEffect, useState } from 'preact/hooks';
import { portalLimits } from '../../lambdas/catalog/portal-limits.ts';
import type { Outcome } from '../api/client.ts';
import { type Problem, words } from '../api/problem.ts';
import type { FieldProps } from './field.tsx';
import { TextField } from './text-field.tsx';

/** Six digits from a message; browsers and phones fill them in. */
export function CodeField<Name extends string>(props: Omit<FieldProps<Name>, 'label'>) {
  return (
    <TextField
      {...props}
      secret
      label="Code"
      hint={props.hint ?? `Six digits. It is valid for ${portalLimits.codeSeconds / 60} minutes.`}
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

/** Another code, when none arrived: after a minute, as often as the API allows. */
export function ResendCode(props: { readonly resend: () => Promise<Outcome<unknown>> }) {
  const [wait, setWait] = useState<number>(portalLimits.codeResendSeconds);
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
    setWait(outcome.ok ? portalLimits.codeResendSeconds : (retryAfter ?? 0));
  };
  return (
    <div class="resend">
      <p>
        No message? Look into your spam folder, wait a minute, then{' '}
        <button
          type="button"
          class="usa-button usa-button--unstyled"
          aria-disabled={wait > 0}
          onClick={() => void ask()}
        >
          send a new code
        </button>
        {/* Not in a live region: nobody wants to hear each second. */}
        {wait > 0 && <span class="resend__wait"> (in {wait} seconds)</span>}
      </p>
      <p role="status">
        {state.kind === 'sent' && 'A new code is on its way. Only the newest one works.'}
        {state.kind === 'refused' && words(state.problem)}
      </p>
    </div>
  );
}
