// Loaded after the form; the modules that both need are in the kernel's chunk.
import '../app/kernel.ts';
import { call } from '../api/portal-client.ts';

/** The reCAPTCHA widget and its latest token. */
export interface Box {
  token: string;
  reset(): void;
}

/**
 * Runs the configured bot check: a proof of work in the browser, or the reCAPTCHA widget.
 *
 * @throws Error if the check cannot be loaded.
 */
export async function answerBotCheck(
  place: HTMLElement | null,
): Promise<{ readonly payload: string } | { readonly box: Box }> {
  const outcome = await call('GET /api/bot-check');
  if (!outcome.ok) throw new Error(outcome.problem.title);
  if (outcome.value.provider === 'altcha') {
    const { solve } = await import('./proof-of-work.ts');
    return { payload: await solve(outcome.value.challenge) };
  }
  const { showRecaptcha } = await import('./recaptcha.ts');
  if (place === null) throw new Error('the check has no place');
  const box: Box = { token: '', reset: () => {} };
  box.reset = await showRecaptcha(place, outcome.value.siteKey, (token) => {
    box.token = token ?? '';
  });
  return { box };
}
