/** Table of the members' pages that `authorize` serves. */

import type { ActivationPageServices } from './activation/activation-page.ts';
import {
  type AuthorizationEndpointServices,
  handleAuthorizationRequest,
} from './authorize/authorization-endpoint.ts';
import { type ConsentServices, showConsent, submitConsent } from './authorize/consent-endpoint.ts';
import {
  type EndSessionServices,
  showEndSession,
  submitEndSession,
} from './authorize/end-session-endpoint.ts';
import { createPages, type MemberPageRoute } from './authorize/page-routes.ts';
import {
  type PatientChoiceServices,
  showPatientChoice,
  submitPatientChoice,
} from './authorize/patient-choice-endpoint.ts';
import { type SignInServices, showSignIn, submitSignIn } from './authorize/sign-in-endpoint.ts';
import { showVerificationCode, submitVerificationCode } from './authorize/verification-code-endpoint.ts';
import { type GuidePage, guidePages } from './oauth/paths.ts';
import { guidePage } from './pages/guide-page.ts';
import { messagePage } from './pages/message-page.ts';

/** Services of all the pages. */
export type MemberPagesServices = ActivationPageServices &
  AuthorizationEndpointServices &
  SignInServices &
  PatientChoiceServices &
  ConsentServices &
  EndSessionServices;

type Route = MemberPageRoute<MemberPagesServices>;

/** Routes of the member's pages, by the path after the LOB. */
const routes: readonly Route[] = [
  {
    method: 'GET',
    path: 'authorize',
    handle: (services, request) => handleAuthorizationRequest(services, request, request.query),
  },
  {
    method: 'POST',
    path: 'authorize',
    handle: (services, request) => handleAuthorizationRequest(services, request, request.form),
  },
  { method: 'GET', path: 'sign-in', handle: showSignIn },
  { method: 'POST', path: 'sign-in', handle: submitSignIn },
  { method: 'GET', path: 'code', handle: showVerificationCode },
  { method: 'POST', path: 'code', handle: submitVerificationCode },
  { method: 'GET', path: 'patient', handle: showPatientChoice },
  { method: 'POST', path: 'patient', handle: submitPatientChoice },
  { method: 'GET', path: 'activation', handle: activationPage('showActivation') },
  { method: 'POST', path: 'activation', handle: activationPage('submitActivation') },
  { method: 'GET', path: 'activation-code', handle: activationPage('showActivationCode') },
  { method: 'POST', path: 'activation-code', handle: activationPage('submitActivationCode') },
  { method: 'GET', path: 'activation-password', handle: activationPage('showActivationPassword') },
  { method: 'POST', path: 'activation-password', handle: activationPage('submitActivationPassword') },
  { method: 'GET', path: 'consent', handle: showConsent },
  { method: 'POST', path: 'consent', handle: submitConsent },
  { method: 'GET', path: 'logout', handle: showEndSession },
  { method: 'POST', path: 'logout', handle: submitEndSession },
  ...guidePages.map((page): Route => ({ method: 'GET', path: page, handle: showGuide(page) })),
];

export const handlePage = createPages(routes);

/**
 * A page of the activation, 404 if the LOB has an identity provider: its members have their accounts there. The modules are loaded at first
 * use, because few sign-ins begin with an activation.
 */
function activationPage(name: keyof typeof import('./activation/activation-endpoint.ts')): Route['handle'] {
  return async (services, request) => {
    if (services.providerOf(request.lob) !== undefined)
      return messagePage(404, 'page_unknown', request.language);
    const pages = await import('./activation/activation-endpoint.ts');
    return await pages[name](services, request);
  };
}

function showGuide(page: GuidePage): Route['handle'] {
  return async (_services, { lob, language }) => ({
    kind: 'page',
    status: 200,
    html: guidePage(lob, page, language),
  });
}
