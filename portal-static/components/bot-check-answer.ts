// Loaded after its form: what it shares with it is in the kernel's chunk already.
import '../app/kernel.ts';
import { call } from '../api/portal-client.ts';

/** reCAPTCHA's box, and what was last answered there. */
export interface Box {
  token: string;
  reset(): void;
}

/**
 * Does what this deployment's check asks for: the browser's own work, or a box to tick at a place of the page.
 *
 * @throws Error where the check can't be had.
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
