import { showConnectedApps, submitConnectedApps } from '../connected-apps/connected-apps-endpoint.ts';
import { guidePage } from '../pages/guide-page.ts';
import { messagePage } from '../pages/message-page.ts';
import type { guidePages, MemberPagePath } from '../pages/paths.ts';
import { languageChosen, languageCookie } from '../pages/words/language.ts';
import { beginAuthorization } from './authorization-endpoint.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import { showConsent, submitConsent } from './consent-endpoint.ts';
import { showEndSession, submitEndSession } from './end-session-endpoint.ts';
import { showSignIn, submitSignIn } from './sign-in-endpoint.ts';
import { showVerificationCode, submitVerificationCode } from './verification-code-endpoint.ts';

type Step = (server: AuthorizationServer, request: BrowserRequest) => Promise<BrowserResponse>;

/** What each page does for each method. */
const steps: Readonly<Record<MemberPagePath, { readonly GET: Step; readonly POST?: Step }>> = {
  authorize: {
    GET: (server, request) => beginAuthorization(server, request, request.query),
    POST: (server, request) => beginAuthorization(server, request, request.form),
  },
  'sign-in': { GET: showSignIn, POST: submitSignIn },
  code: { GET: showVerificationCode, POST: submitVerificationCode },
  consent: { GET: showConsent, POST: submitConsent },
  logout: { GET: showEndSession, POST: submitEndSession },
  'connected-apps': { GET: showConnectedApps, POST: submitConnectedApps },
  'choosing-an-app': { GET: guide('choosing-an-app') },
  'privacy-laws': { GET: guide('privacy-laws') },
  complaints: { GET: guide('complaints') },
};

/** @param page what follows the LOB in the path. */
export async function answerBrowser(
  server: AuthorizationServer,
  method: string,
  page: string,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  if (!isPage(page)) return messagePage(404, 'page_unknown', request.language);
  const step = method === 'GET' || method === 'POST' ? steps[page][method] : undefined;
  if (step === undefined) {
    const allow = Object.keys(steps[page]).join(', ');
    return { ...messagePage(405, 'method_not_allowed', request.language), allow };
  }
  const answer = await step(server, request);
  // At the authorization endpoint a parameter of that name would be the application's.
  const chosen = page === 'authorize' ? undefined : languageChosen(request.query);
  if (chosen === undefined) return answer;
  return { ...answer, setCookies: [...(answer.setCookies ?? []), languageCookie(chosen)] };
}

function isPage(text: string): text is MemberPagePath {
  return Object.hasOwn(steps, text);
}

function guide(page: (typeof guidePages)[number]): Step {
  return async (_server, { lob, language }) => ({ status: 200, html: guidePage(lob, page, language) });
}
