import type { OAuthClient } from '../client.ts';
import { messagePage } from '../pages/message-page.ts';
import { languageOf } from '../pages/words/language.ts';
import type { MessageReason } from '../pages/words/strings.ts';
import { parameterOf } from '../parameters.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import {
  type BrowserBinding,
  bindingOf,
  formTokenOf,
  interactionIdOf,
  isSameOrigin,
} from './browser-binding.ts';
import type { AuthorizationServer, BrowserRequest, BrowserResponse } from './browser-request.ts';
import type { Interaction } from './interaction.ts';
import { matchesRegistered } from './redirect-uri.ts';

/** An interaction of this browser that is still open. */
export interface FoundInteraction {
  readonly binding: BrowserBinding;
  readonly interaction: Interaction;
  /** The application it is about; undefined where the member comes for their connected apps. */
  readonly client: OAuthClient | undefined;
  /** The request, in the language this interaction is in. */
  readonly request: BrowserRequest;
}

/** One that an application asked for. */
export interface ClientInteraction extends FoundInteraction {
  readonly interaction: Interaction & { readonly request: AuthorizationRequest };
  readonly client: OAuthClient;
}

interface Refused {
  readonly refused: BrowserResponse;
}

/** The interaction a form was sent for, if the form is this browser's, from our own page, and in time. */
export async function findInteractionOfForm(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<FoundInteraction | Refused> {
  const { form, cookies } = request;
  if (!isSameOrigin(server.origins.auth, request.origin, request.fetchSite))
    return refused(request, 403, 'form_foreign');
  const binding = bindingOf(cookies, parameterOf(form, 'interaction'));
  if (binding === undefined) return refused(request, 400, 'interaction_unknown');
  const token = parameterOf(form, 'form_token') ?? '';
  if (!server.digests.equal(token, formTokenOf(binding, server.digests)))
    return refused(request, 403, 'form_foreign');
  return await openInteraction(server, request, binding);
}

/** The interaction a page is asked for again (a reload, the way back, another language). */
export async function findInteractionOfQuery(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<FoundInteraction | Refused> {
  const binding = bindingOf(request.cookies, parameterOf(request.query, 'interaction'));
  if (binding === undefined) return refused(request, 400, 'interaction_unknown');
  return await openInteraction(server, request, binding);
}

/** @returns undefined where it is a member's own visit: there is nothing to consent to. */
export function interactionOfClient(found: FoundInteraction): ClientInteraction | undefined {
  const { interaction, client } = found;
  const { request } = interaction;
  if (request === undefined || client === undefined) return undefined;
  return { ...found, client, interaction: { ...interaction, request } };
}

/** The application is read again: one suspended since the first page gets no further, nor does a redirect URI removed since. */
async function openInteraction(
  server: AuthorizationServer,
  request: BrowserRequest,
  binding: BrowserBinding,
): Promise<FoundInteraction | Refused> {
  const interaction = await server.store.interaction(request.lob, interactionIdOf(binding, server.digests));
  if (interaction === undefined) return refused(request, 400, 'interaction_unknown');
  const inLanguage = { ...request, language: languageOf(request, interaction.language) };
  if (interaction.state === 'answered') return refused(inLanguage, 400, 'interaction_answered');
  if (interaction.expiresAt <= Math.floor(server.now() / 1000))
    return refused(inLanguage, 400, 'interaction_expired');
  if (await hasSsoSessionEnded(server, request, interaction))
    return refused(inLanguage, 400, 'interaction_expired');
  if (interaction.request === undefined)
    return { binding, interaction, client: undefined, request: inLanguage };
  const client = await server.clients.find(interaction.request.clientId);
  if (client?.state !== 'active') return refused(inLanguage, 400, 'client_inactive');
  if (!matchesRegistered(client, interaction.request.redirectUri))
    return refused(inLanguage, 400, 'redirect_uri_unregistered');
  return { binding, interaction, client, request: inLanguage };
}

/** Where an SSO session stood in for the password, and the member has ended it since. */
async function hasSsoSessionEnded(
  { ssoSessions }: AuthorizationServer,
  { lob }: BrowserRequest,
  { continued, ssoSessionId }: Interaction,
): Promise<boolean> {
  if (continued !== true) return false;
  if (ssoSessionId === undefined) return true;
  return (await ssoSessions.find(lob, ssoSessionId))?.state !== 'open';
}

function refused({ language }: BrowserRequest, status: number, reason: MessageReason): Refused {
  return { refused: messagePage(status, reason, language) };
}
