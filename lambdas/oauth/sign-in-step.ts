import { auditEvent, type Decision } from './audit-event.ts';
import { formTokenOf } from './browser-binding.ts';
import type { AuthorizationServer, BrowserAnswer, BrowserRequest } from './browser-step.ts';
import { interactionOfForm, type OpenInteraction } from './open-interaction.ts';
import { applicationOf } from './pages/application.ts';
import { messagePage } from './pages/message-page.ts';
import { pagePath } from './pages/paths.ts';
import { formActionOf, type SignInError, signInPage } from './pages/sign-in-page.ts';
import { parameterOf } from './parameters.ts';
import type { SignedInMember } from './ports.ts';

/** The sign-in form, sent. Right: on to the consent page, by a redirect so that a reload sends no password again. */
export async function signInStep(
  server: AuthorizationServer,
  request: BrowserRequest,
): Promise<BrowserAnswer> {
  const found = await interactionOfForm(server, request);
  if ('refused' in found) return found.refused;
  const consent = `${server.origins.auth}${pagePath(request.lob, 'consent')}?interaction=${found.binding.handle}`;
  // The form sent twice: the member is past it.
  if (found.interaction.state === 'consenting') return { location: consent };
  const username = parameterOf(request.form, 'username') ?? '';
  const password = parameterOf(request.form, 'password') ?? '';
  if (username.trim() === '' || password === '') return again(server, request, found, 'incomplete');
  const answer = await server.signIn(request.lob, username, password);
  if ('refusal' in answer) {
    await server.audit.record(event(server, request, found, { outcome: 'refused', reason: answer.refusal }));
    return again(server, request, found, answer.refusal);
  }
  return (await advance(server, request, found, answer.member))
    ? { location: consent }
    : messagePage(400, 'interaction_expired');
}

async function advance(
  server: AuthorizationServer,
  request: BrowserRequest,
  found: OpenInteraction,
  member: SignedInMember,
): Promise<boolean> {
  return await server.store.signIn({
    lob: request.lob,
    interactionId: found.interaction.interactionId,
    now: Math.floor(server.now() / 1000),
    member,
    audit: event(server, request, found, { outcome: 'succeeded', member }),
  });
}

/** The form again with what is wrong, the name as typed and the password empty. */
function again(
  server: AuthorizationServer,
  { lob, form }: BrowserRequest,
  { binding, client, interaction }: OpenInteraction,
  error: SignInError,
): BrowserAnswer {
  const html = signInPage({
    lob,
    application: applicationOf(client),
    handle: binding.handle,
    formToken: formTokenOf(binding, server.digests),
    error,
    username: parameterOf(form, 'username')?.slice(0, 254),
  });
  const status = error === 'unavailable' ? 503 : 400;
  return { status, html, formAction: formActionOf(interaction.request.redirectUri) };
}

function event(
  { now, random }: AuthorizationServer,
  { context }: BrowserRequest,
  { interaction }: OpenInteraction,
  { outcome, reason, member }: Pick<Decision, 'outcome' | 'reason'> & { readonly member?: SignedInMember },
) {
  const decision = {
    action: 'member.sign-in',
    outcome,
    actor: member?.sub ?? 'member',
    clientId: interaction.request.clientId,
    ...(reason !== undefined && { reason }),
    ...(member !== undefined && { patientId: member.patientId }),
  } as const;
  return auditEvent(context, decision, now(), random.uuid());
}
