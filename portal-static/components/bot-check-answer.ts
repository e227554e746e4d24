// Loaded after its form; what both use is in the kernel's chunk.
import '../app/kernel.ts';
import { call } from '../api/portal-client.ts';

/** reCAPTCHA's box, and what was last answered there. */
export interface Box {
  token: string;
  reset(): void;
}

/**
 * Carries out the deployment's bot check: proof of work in the browser, or reCAPTCHA's box.
 *
 * @throws Error if the check can't be loaded.
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
