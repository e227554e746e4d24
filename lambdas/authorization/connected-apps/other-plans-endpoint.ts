/** Handles the pages and forms about other health plans. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { MemberExchange } from '../../payer-exchange/exchange/exchange-contract.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import { connectedAppsFormToken } from '../authorize/connected-apps-session.ts';
import { type AccessiblePatient, actingFor } from '../oauth/member-account.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { pageAddress, pagePath } from '../oauth/paths.ts';
import { messagePage } from '../pages/message-page.ts';
import {
  canCorrect,
  planFormPage,
  type RepresentedPatient,
  stopPlanPage,
  type TypedPlan,
} from '../pages/other-plans-page.ts';
import { nameAmong } from '../pages/patient-page.ts';
import type { PlanFormFault } from '../pages/words/strings.ts';
import { holderName, type OpenSession, patientNamed } from './open-session.ts';
import { choosePlan, type OtherPlansServices, stopPlan } from './other-plans.ts';
import { readPlanForm, storedPlan, typedPlan } from './plan-form.ts';

export interface PlanPageServices extends OtherPlansServices {
  readonly origins: EnvironmentOrigins;
  readonly digests: Digests;
}

/** ID of an exchange that began on the page (a UUID) or by a row of a drop (32 digits). */
const exchangeIdForm = /^[0-9a-f-]{32,36}$/;
const emptyPlan: TypedPlan = {
  name: '',
  memberNumber: '',
  groupNumber: '',
  covers: undefined,
  scope: undefined,
  until: '',
};

/** The patient of a page, if it is not the reader. */
export function representedPatient(
  { language }: Pick<BrowserRequest, 'language'>,
  { patients }: OpenSession,
  patient: AccessiblePatient,
): RepresentedPatient | undefined {
  if (patient.representative === undefined) return undefined;
  return { patientId: patient.patientId, name: nameAmong(language, patients, patient) };
}

/** The plan that a request is about. */
interface PlanInRequest {
  readonly patient: AccessiblePatient;
  readonly exchange: MemberExchange | undefined;
  readonly exchangeId: string;
}

/** Shows the form of a plan: a stored one by its ID, or a new one. An unknown ID, as after the back button, leads to the list. */
export async function showPlanForm(
  services: PlanPageServices,
  request: BrowserRequest,
  session: OpenSession,
  plan: string,
): Promise<BrowserResponse> {
  const patient = patientNamed(session, parameterOf(request.query, 'patient'));
  if (patient === undefined) return toList(services, request);
  const exchange = await storedExchange(services, request, patient, plan);
  if (exchange === undefined && plan !== 'new') return toList(services, request);
  const exchangeId = exchange?.exchangeId ?? services.random.uuid();
  const typed = exchange === undefined ? emptyPlan : storedPlan(exchange);
  return form(services, request, session, { patient, exchange, exchangeId }, typed, []);
}

/** Asks before this plan stops asking another. */
export async function askBeforePlanStop(
  services: PlanPageServices,
  request: BrowserRequest,
  session: OpenSession,
  exchangeId: string,
): Promise<BrowserResponse> {
  const patient = patientNamed(session, parameterOf(request.query, 'patient'));
  const exchange = patient && (await storedExchange(services, request, patient, exchangeId));
  if (patient === undefined || exchange === undefined || exchange.state === 'revoked')
    return toList(services, request);
  const page = { ...framed(services, request, session), exchange };
  const html = stopPlanPage({ ...page, patient: representedPatient(request, session, patient) });
  return { kind: 'page', status: 200, html };
}

/** Handles the form of a plan. */
export async function submitPlan(
  services: PlanPageServices,
  request: BrowserRequest,
  session: OpenSession,
): Promise<BrowserResponse> {
  const { form: fields, language, lob, context } = request;
  const patient = patientNamed(session, parameterOf(fields, 'patient'));
  const exchangeId = parameterOf(fields, 'plan') ?? '';
  const version = Number(parameterOf(fields, 'version'));
  if (patient === undefined || !exchangeIdForm.test(exchangeId) || !Number.isSafeInteger(version))
    return messagePage(400, 'answer_missing', language);
  const exchange = await storedExchange(services, request, patient, exchangeId);
  const about = { patient, exchange, exchangeId };
  const typed = typedPlan(fields);
  const kept = exchange !== undefined && !canCorrect(exchange) ? exchange : undefined;
  const reading = readPlanForm(typed, kept, services.now());
  if (reading.kind === 'faults') return form(services, request, session, about, typed, reading.faults);
  const member = actingFor(session, patient);
  const choice = { exchangeId, version, chosen: reading.chosen };
  const outcome = await choosePlan(services, { lob, member, context }, choice);
  if (outcome.kind === 'done') return toList(services, request, { saved: exchangeId }, patient);
  // A form of an older version starts again from what is stored, so that nothing stored is overwritten unseen.
  const shown = outcome.fault === 'changed' && exchange !== undefined ? storedPlan(exchange) : typed;
  return form(services, request, session, about, shown, [outcome.fault]);
}

/** Handles the answer that this plan shall stop asking another. */
export async function submitPlanStop(
  services: PlanPageServices,
  request: BrowserRequest,
  session: OpenSession,
): Promise<BrowserResponse> {
  const { form: fields, language, lob, context } = request;
  const patient = patientNamed(session, parameterOf(fields, 'patient'));
  if (patient === undefined) return messagePage(400, 'answer_missing', language);
  const act = { lob, member: actingFor(session, patient), context };
  const ended = await stopPlan(services, act, parameterOf(fields, 'plan') ?? '');
  return toList(services, request, ended && { saved: ended.exchangeId }, patient);
}

async function storedExchange(
  services: PlanPageServices,
  { lob }: BrowserRequest,
  { patientId }: AccessiblePatient,
  exchangeId: string,
): Promise<MemberExchange | undefined> {
  const all = await services.exchangesOf(lob).ofPatient(patientId);
  return all.find((each) => each.exchangeId === exchangeId);
}

function form(
  services: PlanPageServices,
  request: BrowserRequest,
  session: OpenSession,
  { patient, exchange, exchangeId }: PlanInRequest,
  typed: TypedPlan,
  faults: readonly PlanFormFault[],
): BrowserResponse {
  const html = planFormPage({
    ...framed(services, request, session),
    ...{ exchange, exchangeId, typed, faults },
    patient: representedPatient(request, session, patient),
  });
  return { kind: 'page', status: faults.length === 0 ? 200 : 400, html };
}

function framed(
  { digests }: Pick<PlanPageServices, 'digests'>,
  { language, lob }: BrowserRequest,
  session: OpenSession,
) {
  const formToken = connectedAppsFormToken(session.secret, digests);
  return { language, lob, memberName: holderName(session), formToken };
}

function toList(
  { origins }: PlanPageServices,
  { lob }: BrowserRequest,
  about: { readonly saved?: string } = {},
  patient?: AccessiblePatient,
): BrowserResponse {
  const whose = patient?.representative === undefined ? {} : { patient: patient.patientId };
  const path =
    about.saved === undefined
      ? pagePath(lob, 'connected-apps')
      : pageAddress(lob, 'connected-apps', { ...about, ...whose });
  return { kind: 'redirect', location: `${origins.auth}${path}` };
}
