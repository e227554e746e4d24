import { useEffect, useRef, useState } from 'preact/hooks';
import { portalLimits } from '../../lambdas/catalog/portal-limits.ts';
import { call } from '../api/client.ts';

/**
 * The check that a person is there. With ALTCHA there is nothing to do: the browser works on it while the form is filled in.
 * With reCAPTCHA its box is shown.
 */
export interface BotCheck {
  readonly state: 'working' | 'passed' | 'failed' | 'shown';
  readonly place: { current: HTMLDivElement | null };
  /** Waits for the answer and spends it: each one counts once. @returns '' where there is none. */
  answer(): Promise<string>;
  retry(): void;
}

/** Answers are asked for anew a minute before they end. */
const freshMilliseconds = (portalLimits.botCheckSeconds - 60) * 1000;

export function useBotCheck(): BotCheck {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<BotCheck['state']>('working');
  const current = useRef<{ readonly answer: Promise<string>; readonly since: number }>(undefined);
  const reset = useRef<() => void>(undefined);
  const token = useRef('');
  const begin = () => {
    setState('working');
    const answer = check().catch(() => {
      setState('failed');
      return '';
    });
    current.current = { answer, since: Date.now() };
    return answer;
  };
  const check = async () => {
    const outcome = await call('GET /api/bot-check');
    if (!outcome.ok) throw new Error(outcome.problem.title);
    if (outcome.value.provider === 'recaptcha') {
      const { showRecaptcha } = await import('./recaptcha.ts');
      if (place.current === null) throw new Error('the check has no place');
      setState('shown');
      reset.current = await showRecaptcha(place.current, outcome.value.siteKey, (it) => {
        token.current = it ?? '';
      });
      return '';
    }
    const { solve } = await import('./proof-of-work.ts');
    const payload = await solve(outcome.value.challenge);
    setState('passed');
    return payload;
  };
  useEffect(() => {
    void begin();
  }, []);
  return {
    state,
    place,
    answer: async () => {
      if (reset.current !== undefined) {
        const spent = token.current;
        token.current = '';
        if (spent !== '') reset.current();
        return spent;
      }
      const kept = current.current;
      current.current = undefined;
      if (kept === undefined || Date.now() - kept.since > freshMilliseconds) {
        const answer = await begin();
        current.current = undefined;
        return answer;
      }
      return await kept.answer;
    },
    retry: () => void begin(),
  };
}

export function BotCheckStatus(props: { readonly check: BotCheck }) {
  const { check } = props;
  return (
    <div class="bot-check">
      <div ref={check.place} />
      <p role="status" class={`bot-check__state bot-check__state--${check.state}`}>
        {check.state === 'working' && 'Checking that you are a person. You need not do anything.'}
        {check.state === 'passed' && 'Checked that you are a person.'}
        {check.state === 'failed' && 'The check that you are a person did not finish.'}
      </p>
      {check.state === 'failed' && (
        <button type="button" class="usa-button usa-button--outline" onClick={() => check.retry()}>
          Check again
        </button>
      )}
    </div>
  );
}
