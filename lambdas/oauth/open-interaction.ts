import {
  type BrowserBinding,
  bindingOf,
  formTokenOf,
  interactionIdOf,
  sentFromHere,
} from './browser-binding.ts';
import type { AuthorizationServer, BrowserAnswer, BrowserRequest } from './browser-step.ts';
import type { Client } from './client.ts';
import type { Interaction } from './interaction.ts';
import { messagePage } from './pages/message-page.ts';
import { parameterOf } from './parameters.ts';

/** An interaction of this browser that is still open, and the application it is about. */
export interface OpenInteraction {
  readonly binding: BrowserBinding;
  readonly interaction: Interaction;
  readonly client: Client;
}

type Found = OpenInteraction | { readonly refused: BrowserAnswer };

/** The interaction a form was sent for, if the form is this browser's, from our own page, and in time. */
export async function interactionOfForm(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<Found> {
  const { form, cookies } = request;
  if (!sentFromHere(server.origins.auth, request.origin, request.fetchSite))
    return refused(403, 'form_foreign');
  const binding = bindingOf(cookies, parameterOf(form, 'interaction'));
  if (binding === undefined) return refused(400, 'interaction_unknown');
  const token = parameterOf(form, 'form_token') ?? '';
  if (!server.digests.equal(token, formTokenOf(binding, server.digests))) return refused(403, 'form_foreign');
  return await openInteraction(server, request, binding);
}

/** The interaction a page is asked for again (a reload, the way back). */
export async function interactionOfQuery(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<Found> {
  const binding = bindingOf(request.cookies, parameterOf(request.query, 'interaction'));
  if (binding === undefined) return refused(400, 'interaction_unknown');
  return await openInteraction(server, request, binding);
}

/** The application is read again: one suspended since the first page gets no further. */
async function openInteraction(
  server: AuthorizationServer,
  { lob }: BrowserRequest,
  binding: BrowserBinding,
): Promise<Found> {
  const interaction = await server.store.interaction(lob, interactionIdOf(binding, server.digests));
  if (interaction === undefined) return refused(400, 'interaction_unknown');
  if (interaction.state === 'answered') return refused(400, 'interaction_answered');
  if (interaction.expiresAt <= Math.floor(server.now() / 1000)) return refused(400, 'interaction_expired');
  const client = await server.clients.find(interaction.request.clientId);
  if (client?.state !== 'active') return refused(400, 'client_inactive');
  return { binding, interaction, client };
}

function refused(...message: Parameters<typeof messagePage>): { readonly refused: BrowserAnswer } {
  return { refused: messagePage(...message) };
}
