/** Handles the page where a member with access to several patients chooses one. */

import { type AuditTrail, aboutPatient, auditEvent } from '../oauth/audit-decision.ts';
import {
  type AccessiblePatient,
  type AccountReference,
  actingFor,
  type FindPatientsOfAccount,
  type SignedInMember,
} from '../oauth/member-account.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { applicationOf } from '../pages/application.ts';
import { messagePage } from '../pages/message-page.ts';
import { type PatientChoiceError, patientPage } from '../pages/patient-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import { formTokenOf } from './browser-binding.ts';
import type { BrowserRequest, BrowserResponse, PageResponse } from './browser-request.ts';
import { createSsoSession, type EndSsoSessionServices } from './browser-sso-session.ts';
import {
  type ClientInteraction,
  findInteractionOfForm,
  findInteractionOfQuery,
  type InteractionResult,
  type InteractionServices,
  interactionOfClient,
} from './find-interaction.ts';
import { redirectToPage } from './redirect-to-page.ts';
import type { SignInStore } from './sign-in-store-port.ts';

export type PatientChoiceServices = InteractionServices &
  Pick<EndSsoSessionServices, 'random'> & {
    readonly signIns: Pick<SignInStore, 'choosePatient'>;
    readonly patientsOf: FindPatientsOfAccount;
    readonly audit: AuditTrail;
  };

/** A choice in progress, with the patients that the account may share now, which can differ from those at sign-in. */
interface OpenChoice {
  readonly kind: 'open';
  readonly found: ClientInteraction;
  readonly account: AccountReference;
  readonly patients: readonly AccessiblePatient[];
}

/** Shows the page with the patients whose data the account may share. */
export async function showPatientChoice(
  services: PatientChoiceServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const choice = await openChoice(services, request, await findInteractionOfQuery(services, request));
  return choice.kind === 'response' ? choice.response : { ...page(services, choice), status: 200 };
}

/** Handles the choice of a patient. It can't be changed: the rest of the interaction is about that patient. */
export async function submitPatientChoice(
  services: PatientChoiceServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const choice = await openChoice(services, request, await findInteractionOfForm(services, request));
  if (choice.kind === 'response') return choice.response;
  const { found, account, patients } = choice;
  const patientId = parameterOf(request.form, 'patient');
  if (patientId === undefined) return { ...page(services, choice, 'missing'), status: 400 };
  const patient = patients.find((each) => each.patientId === patientId);
  if (patient === undefined) {
    await services.audit.record(
      event(services, found, account, { outcome: 'refused', reason: 'patient_not_accessible' }),
    );
    return { ...page(services, choice, 'noLonger'), status: 400 };
  }
  return await choose(services, found, actingFor(account, patient));
}

/** Writes the choice, and opens the SSO session if the member requested one at sign-in. */
async function choose(
  services: PatientChoiceServices,
  found: ClientInteraction,
  member: SignedInMember,
): Promise<BrowserResponse> {
  const { interaction, request } = found;
  const { lob, language } = request;
  const now = Math.floor(services.now() / 1000);
  const { authTime = now, interactionId, keep = false } = interaction;
  const opened = keep ? createSsoSession(services, request, { member, authTime }) : undefined;
  const reason = keep ? ({ reason: 'kept' } as const) : {};
  const chosen = await services.signIns.choosePatient({
    lob,
    interactionId,
    now,
    member,
    audit: event(services, found, member, { outcome: 'succeeded', ...reason, ...aboutPatient(member) }),
    ...(opened !== undefined && { ssoSession: opened.session }),
  });
  if (!chosen) return messagePage(400, 'interaction_expired', language);
  return redirectToPage(services, request, found, 'consent', opened === undefined ? [] : [opened.cookie]);
}

async function openChoice(
  services: PatientChoiceServices,
  request: BrowserRequest,
  result: InteractionResult,
): Promise<OpenChoice | { readonly kind: 'response'; readonly response: BrowserResponse }> {
  if (result.kind === 'refusal') return { kind: 'response', response: result.response };
  const { found } = result;
  const { language, lob } = found.request;
  const { state, account } = found.interaction;
  if (state === 'consenting')
    return { kind: 'response', response: redirectToPage(services, request, found, 'consent') };
  const asked = interactionOfClient(found);
  if (state !== 'choosing' || account === undefined || asked === undefined)
    return { kind: 'response', response: messagePage(400, 'interaction_unknown', language) };
  const patients = await services.patientsOf(lob, account);
  if (patients.length === 0)
    return { kind: 'response', response: messagePage(403, 'nothing_to_share', language) };
  return { kind: 'open', found: asked, account, patients };
}

function page(
  services: PatientChoiceServices,
  { found, patients }: OpenChoice,
  error?: PatientChoiceError,
): Omit<PageResponse, 'status'> {
  const { request, binding, client, interaction } = found;
  const html = patientPage({
    language: request.language,
    lob: request.lob,
    application: applicationOf(client),
    patients,
    handle: binding.handle,
    formToken: formTokenOf(binding, services.digests),
    error,
  });
  return { kind: 'page', html, formAction: formActionOf(interaction.request.redirectUri) };
}

/** Makes the audit event of a choice. A refused choice names no patient: the chosen ID may be a stranger's. */
function event(
  { now, random }: Pick<PatientChoiceServices, 'now' | 'random'>,
  { request, client: { clientId } }: ClientInteraction,
  { sub }: AccountReference,
  decision: { readonly outcome: 'succeeded' | 'refused'; readonly reason?: string } & Partial<
    ReturnType<typeof aboutPatient>
  >,
) {
  const about = { action: 'patient.choose', actor: sub, clientId } as const;
  return auditEvent(request.context, { ...about, ...decision }, now(), random.uuid());
}
