/** Page for a federated sign-in that failed. */

import { html } from 'hono/html';
import type { BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { federationAddress, pageAddress } from '../oauth/paths.ts';
import { layout } from '../pages/layout.ts';
import { messagePage } from '../pages/message-page.ts';
import type { ProviderProblem } from '../pages/words/strings.ts';
import { pageText } from '../pages/words/words.ts';
import {
  type FederatedSignInRefusal,
  type FederatedSignInServices,
  findProviderVisit,
} from './federated-sign-in.ts';

/** Text and HTTP status of the page, by reason. */
const problems: Readonly<
  Record<FederatedSignInRefusal, { readonly problem: ProviderProblem; readonly status: number }>
> = {
  provider_unavailable: { problem: 'unavailable', status: 503 },
  provider_access_denied: { problem: 'cancelled', status: 400 },
  provider_login_required: { problem: 'cancelled', status: 400 },
  provider_error: { problem: 'failed', status: 400 },
  provider_answer_invalid: { problem: 'failed', status: 400 },
  provider_answer_unknown: { problem: 'failed', status: 400 },
  provider_member_unknown: { problem: 'unknown_member', status: 403 },
  provider_account_linked: { problem: 'unknown_member', status: 403 },
};

/** Shows why the sign-in at the plan's identity provider failed, and links to try again. The interaction is still open. */
export async function showProviderProblem(
  services: FederatedSignInServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const visit = await findProviderVisit(services, request);
  if (visit.kind === 'refusal') return visit.response;
  const { found, provider } = visit;
  const { lob, language } = found.request;
  const reason = parameterOf(request.query, 'reason') ?? '';
  const { problem, status } = problems[`provider_${reason}` as FederatedSignInRefusal] ?? {};
  if (problem === undefined || status === undefined) return messagePage(404, 'page_unknown', language);
  const { provider: words, plans } = pageText[language];
  const { title, advice } = words.problems[problem];
  const name = provider.label[language];
  const interaction = found.binding.handle;
  const again =
    problem === 'unknown_member'
      ? { text: words.otherAccount(name), query: { interaction, account: 'other' } }
      : { text: words.again(name), query: { interaction } };
  const main = html`<h1>${title}</h1>
<p>${advice(name, plans[lob])}</p>
<p><a class="button" href="${federationAddress(lob, 'start', again.query)}">${again.text}</a></p>
${provider.localAccounts ? html`<p><a href="${pageAddress(lob, 'sign-in', { interaction })}">${words.here}</a></p>` : ''}`;
  const inLanguage = (other: typeof language) =>
    federationAddress(lob, 'problem', { interaction, reason, language: other });
  return { kind: 'page', status, html: layout({ language, title, lob, main, inLanguage, stays: true }) };
}
