/** Finds the interaction of a page's form, and checks that it belongs to this browser and is not over. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { matchesRegistered } from '../oauth/redirect-uri.ts';
import { messagePage } from '../pages/message-page.ts';
import { languageOf } from '../pages/words/language.ts';
import type { MessageReason } from '../pages/words/strings.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationStore } from './authorization-store-port.ts';
import {
  type BrowserBinding,
  bindingOf,
  formTokenOf,
  interactionIdOf,
  isSameOrigin,
} from './browser-binding.ts';
import type { BrowserRequest, PageResponse } from './browser-request.ts';
import type { Interaction } from './interaction.ts';
import type { SsoSessionStore } from './sso-session-store-port.ts';

export interface InteractionServices {
  readonly origins: EnvironmentOrigins;
  readonly clients: ClientReader;
  readonly store: Pick<AuthorizationStore, 'interaction'>;
  readonly ssoSessions: Pick<SsoSessionStore, 'find'>;
  readonly digests: Digests;
  readonly now: Clock;
}

/** An interaction of this browser that is still open. */
export interface FoundInteraction {
  readonly binding: BrowserBinding;
  readonly interaction: Interaction;
  /** The application of the interaction; undefined in a sign-in to the connected apps. */
  readonly client: OAuthClient | undefined;
  /** The request, with the interaction's language. */
  readonly request: BrowserRequest;
}

/** An interaction that an application's authorization request began. */
export interface ClientInteraction extends FoundInteraction {
  readonly interaction: Interaction & { readonly request: AuthorizationRequest };
  readonly client: OAuthClient;
}

/** The interaction, or the error page to answer with. */
export type InteractionResult =
  | { readonly kind: 'found'; readonly found: FoundInteraction }
  | InteractionRefusal;

/** The error page to answer with. */
export interface InteractionRefusal {
  readonly kind: 'refusal';
  readonly response: PageResponse;
  /** The interaction, if it is refused because the member has answered. */
  readonly answered?: AnsweredInteraction;
}

/** An interaction of this browser in which the member has answered. */
export type AnsweredInteraction = Pick<FoundInteraction, 'binding' | 'interaction' | 'request'>;

/**
 * Finds the interaction of a form. The form must come from our own page in the browser that began the interaction, before the interaction
 * expires.
 */
export async function findInteractionOfForm(
  services: InteractionServices,
  request: BrowserRequest,
): Promise<InteractionResult> {
  const { form, cookies } = request;
  if (!isSameOrigin(services.origins.auth, request.origin, request.fetchSite))
    return refuse(request, 403, 'form_foreign');
  const binding = bindingOf(cookies, parameterOf(form, 'interaction'));
  if (binding === undefined) return refuse(request, 400, 'interaction_unknown');
  const token = parameterOf(form, 'form_token') ?? '';
  if (!services.digests.equal(token, formTokenOf(binding, services.digests)))
    return refuse(request, 403, 'form_foreign');
  return await openInteraction(services, request, binding);
}

/** Finds the interaction of a page that is loaded again: by a reload, the back button, or in another language. */
export async function findInteractionOfQuery(
  services: InteractionServices,
  request: BrowserRequest,
): Promise<InteractionResult> {
  const binding = bindingOf(request.cookies, parameterOf(request.query, 'interaction'));
  if (binding === undefined) return refuse(request, 400, 'interaction_unknown');
  return await openInteraction(services, request, binding);
}

/**
 * Narrows to an application's interaction.
 *
 * @returns undefined for a sign-in to the connected apps, which needs no consent.
 */
export function interactionOfClient(found: FoundInteraction): ClientInteraction | undefined {
  const { interaction, client } = found;
  const { request } = interaction;
  if (request === undefined || client === undefined) return undefined;
  return { ...found, client, interaction: { ...interaction, request } };
}

/**
 * Reads the interaction and its application again. The interaction is refused if the application has been suspended, or its redirect URI
 * removed, since it began.
 */
async function openInteraction(
  services: InteractionServices,
  request: BrowserRequest,
  binding: BrowserBinding,
): Promise<InteractionResult> {
  const interaction = await services.store.interaction(
    request.lob,
    interactionIdOf(binding, services.digests),
  );
  if (interaction === undefined) return refuse(request, 400, 'interaction_unknown');
  const inLanguage = { ...request, language: languageOf(request, interaction.language) };
  if (interaction.state === 'answered') {
    const answered = { binding, interaction, request: inLanguage };
    return { ...refuse(inLanguage, 400, 'interaction_answered'), answered };
  }
  if (interaction.expiresAt <= Math.floor(services.now() / 1000))
    return refuse(inLanguage, 400, 'interaction_expired');
  if (await hasSsoSessionEnded(services, request, interaction))
    return refuse(inLanguage, 400, 'interaction_expired');
  if (interaction.request === undefined)
    return { kind: 'found', found: { binding, interaction, client: undefined, request: inLanguage } };
  const client = await services.clients.find(interaction.request.clientId);
  if (client?.state !== 'active') return refuse(inLanguage, 400, 'client_inactive');
  if (!matchesRegistered(client, interaction.request.redirectUri))
    return refuse(inLanguage, 400, 'redirect_uri_unregistered');
  return { kind: 'found', found: { binding, interaction, client, request: inLanguage } };
}

/** Whether the SSO session that replaced the password has ended since the interaction began. */
async function hasSsoSessionEnded(
  { ssoSessions }: InteractionServices,
  { lob }: BrowserRequest,
  { continued, ssoSessionId }: Interaction,
): Promise<boolean> {
  if (continued !== true) return false;
  if (ssoSessionId === undefined) return true;
  return (await ssoSessions.find(lob, ssoSessionId))?.state !== 'open';
}

function refuse(
  { language }: Pick<BrowserRequest, 'language'>,
  status: number,
  reason: MessageReason,
): InteractionRefusal {
  return { kind: 'refusal', response: messagePage(status, reason, language) };
}
