/** Common parts of the activation pages: services, the activation of a request, limits, and the frame of a page. */

import type { Random } from '../../platform/kernel/random.ts';
import type { Rates } from '../../platform/kernel/rates.ts';
import { formTokenOf } from '../authorize/browser-binding.ts';
import type { BrowserRequest, BrowserResponse, PageResponse } from '../authorize/browser-request.ts';
import { callerBlock } from '../authorize/caller-block.ts';
import {
  type CompleteAuthenticationServices,
  connectedAppsClientId,
} from '../authorize/complete-authentication.ts';
import {
  type FoundInteraction,
  findInteractionOfForm,
  findInteractionOfQuery,
  type InteractionServices,
} from '../authorize/find-interaction.ts';
import { redirectToPage } from '../authorize/redirect-to-page.ts';
import type { VerificationServices } from '../authorize/verification-code.ts';
import type { FindPatientsOfAccount } from '../oauth/member-account.ts';
import { messagePage } from '../pages/message-page.ts';
import { formActionOf } from '../pages/sign-in-page.ts';
import {
  type Activation,
  type ActivationStore,
  activationAddressRate,
  activationMemberRates,
  memberIdSpellings,
} from './activation.ts';
import type { ActivationAnswer, CodeRequest, PasswordRequest } from './activation-contract.ts';

/** The function `activation`, which compares the details and sends codes. Requests for codes are asynchronous. */
export interface ActivationFunction {
  sendCode(request: CodeRequest): Promise<void>;
  setPassword(request: PasswordRequest): Promise<ActivationAnswer>;
}

export type ActivationPageServices = InteractionServices &
  CompleteAuthenticationServices & {
    readonly activations: ActivationStore;
    readonly activation: ActivationFunction;
    readonly patientsOf: FindPatientsOfAccount;
    readonly verification: Pick<VerificationServices, 'mac' | 'forgetFailures'> & { readonly rates: Rates };
    readonly random: Random & { digits(count: number): string };
  };

type Found =
  | { readonly kind: 'found'; readonly found: FoundInteraction; readonly activation: Activation | undefined }
  | { readonly kind: 'response'; readonly response: BrowserResponse };

/** An activation, and the interaction it belongs to. */
export interface FoundActivation {
  readonly kind: 'found';
  readonly found: FoundInteraction;
  readonly activation: Activation;
}

const pageOfStep = { asked: 'activation-code', proven: 'activation-password', done: 'sign-in' } as const;

/** Reads the interaction of a request, and its activation, if a code was requested. */
export async function findActivation(
  services: ActivationPageServices,
  request: BrowserRequest,
  from: 'query' | 'form',
): Promise<Found> {
  const find = from === 'form' ? findInteractionOfForm : findInteractionOfQuery;
  const result = await find(services, request);
  if (result.kind === 'refusal') return { kind: 'response', response: result.response };
  const { found } = result;
  // The member has signed in already: the sign-in page redirects to the page where the interaction continues.
  if (found.interaction.state !== 'signing-in')
    return { kind: 'response', response: redirectToPage(services, found.request, found, 'sign-in') };
  const { interactionId } = found.interaction;
  const activation = await services.activations.find(request.lob, interactionId);
  return { kind: 'found', found, activation };
}

/** Reads the activation of a request in an expected state. Redirects to the page of its actual state if that is another. */
export async function findActivationAt(
  services: ActivationPageServices,
  request: BrowserRequest,
  from: 'query' | 'form',
  step: Activation['state'],
): Promise<FoundActivation | { readonly kind: 'response'; readonly response: BrowserResponse }> {
  const result = await findActivation(services, request, from);
  if (result.kind === 'response') return result;
  const { found, activation } = result;
  if (activation?.state === step) return { kind: 'found', found, activation };
  const page = activation === undefined ? 'activation' : pageOfStep[activation.state];
  return { kind: 'response', response: redirectToPage(services, found.request, found, page) };
}

/** Counts a request for a code by address and by the typed member ID, before the details are compared. */
export async function countRequest(
  { verification }: ActivationPageServices,
  { request }: FoundInteraction,
  memberId: string,
): Promise<PageResponse | undefined> {
  const counts = [
    { rule: activationAddressRate, subject: callerBlock(request.address) },
    ...activationMemberRates.map((rule) => ({ rule, subject: memberIdSpellings(memberId)[1] })),
  ];
  for (const { rule, subject } of counts) {
    const verdict = await verification.rates.attempt(rule, subject);
    if (verdict.kind === 'allowed') continue;
    const { retryAfterSeconds } = verdict;
    return { ...messagePage(429, 'too_many_codes', request.language), retryAfterSeconds };
  }
  return undefined;
}

/** The fields by which a request to the function `activation` names the activation and the browser's request. */
export function aboutRequest(
  { request, interaction }: FoundInteraction,
  { interactionId, requestId }: Pick<Activation, 'interactionId' | 'requestId'>,
) {
  const { lob, language, context } = request;
  const { clientRequestId } = context;
  return {
    lob,
    interactionId,
    requestId,
    language,
    clientId: interaction.request?.clientId ?? connectedAppsClientId,
    request: { requestId: context.requestId, ...(clientRequestId !== undefined && { clientRequestId }) },
  };
}

/** Makes the values that all pages of the activation share. */
export function pageFrame({ digests }: ActivationPageServices, { request, binding }: FoundInteraction) {
  const { language, lob } = request;
  return { language, lob, handle: binding.handle, formToken: formTokenOf(binding, digests) };
}

export function pageResponse({ interaction }: FoundInteraction, status: number, html: string): PageResponse {
  const target = interaction.request?.redirectUri;
  return { kind: 'page', status, html, ...(target !== undefined && { formAction: formActionOf(target) }) };
}
