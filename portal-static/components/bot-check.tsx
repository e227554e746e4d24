/** Component and hook: the bot check of forms. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { portalLimits } from '../../lambdas/portal/catalog/limits.ts';
import type { Box } from './bot-check-answer.ts';

/** The bot check of a form. With ALTCHA the browser solves it while the person fills in the form. With reCAPTCHA a widget is shown. */
export interface BotCheckField {
  readonly state: 'working' | 'passed' | 'failed' | 'shown';
  readonly place: { current: HTMLDivElement | null };
  /**
   * Waits for the answer.
   *
   * @returns an empty string if there is none.
   */
  answer(): Promise<string>;
  /** Starts a new check after an answer was sent, because each answer is valid once. */
  spent(): void;
  retry(): void;
}

/** Milliseconds for which an answer is used, a minute less than its validity; after them a new check is run. */
const freshMilliseconds = (portalLimits.botCheckSeconds - 60) * 1000;

interface Attempt {
  readonly answer: Promise<string>;
  readonly since: number;
}

export function useBotCheck(): BotCheckField {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<BotCheckField['state']>('working');
  const attempt = useRef<Attempt>(undefined);
  const box = useRef<Box>(undefined);

  const check = async (): Promise<string> => {
    // Loaded on demand, while the person fills in the form.
    const { answerBotCheck } = await import('./bot-check-answer.ts');
    const answer = await answerBotCheck(place.current);
    if ('payload' in answer) {
      setState('passed');
      return answer.payload;
    }
    box.current = answer.box;
    setState('shown');
    return '';
  };
  const begin = (): Attempt => {
    setState('working');
    const answer = check().catch(() => {
      setState('failed');
      return '';
    });
    attempt.current = { answer, since: Date.now() };
    return attempt.current;
  };
  useEffect(() => {
    begin();
  }, []);

  return {
    state,
    place,
    answer: async () => {
      if (box.current !== undefined) return box.current.token;
      const kept = attempt.current;
      const fresh = kept !== undefined && Date.now() - kept.since < freshMilliseconds;
      return await (fresh ? kept : begin()).answer;
    },
    spent: () => {
      if (box.current === undefined) begin();
      else {
        box.current.token = '';
        box.current.reset();
      }
    },
    retry: () => void begin(),
  };
}

export function BotCheckStatus(props: { readonly check: BotCheckField }) {
  const { check } = props;
  return (
    <div class="bot-check">
      <div ref={check.place} />
      <p role="status" class={`bot-check__state bot-check__state--${check.state}`}>
        {check.state === 'working' && 'Checking that you are a person. You do not need to do anything.'}
        {check.state === 'passed' && 'The check that you are a person is complete.'}
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
