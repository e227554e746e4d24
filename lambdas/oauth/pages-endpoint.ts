import { beginAuthorization } from './begin-authorization.ts';
import type { AuthorizationServer, BrowserAnswer, BrowserRequest } from './browser-step.ts';
import { consentStep, showConsent } from './consent-step.ts';
import { messagePage } from './pages/message-page.ts';
import { signInStep } from './sign-in-step.ts';

type Step = (server: AuthorizationServer, request: BrowserRequest) => Promise<BrowserAnswer>;

/** What each page does for each method. */
const steps: Readonly<Record<string, Step>> = {
  'GET authorize': (server, request) => beginAuthorization(server, request, request.query),
  'POST authorize': (server, request) => beginAuthorization(server, request, request.form),
  'POST sign-in': signInStep,
  'GET consent': showConsent,
  'POST consent': consentStep,
};

const pages: readonly string[] = ['authorize', 'sign-in', 'consent'];

/** @param page what follows the LOB in the path. */
export async function answerBrowser(
  server: AuthorizationServer,
  method: string,
  page: string,
  request: BrowserRequest,
): Promise<BrowserAnswer> {
  const step = steps[`${method} ${page}`];
  if (step !== undefined) return await step(server, request);
  return pages.includes(page) ? messagePage(405, 'method_not_allowed') : messagePage(404, 'page_unknown');
}
