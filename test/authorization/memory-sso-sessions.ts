import type { AnswerInSsoSession } from '../../lambdas/authorization/authorize/authorization-store-port.ts';
import type { AuthorizationCode, Interaction } from '../../lambdas/authorization/authorize/interaction.ts';
import type { SsoSession, SsoSessionConsent } from '../../lambdas/authorization/authorize/sso-session.ts';
import type { SsoSessionStore } from '../../lambdas/authorization/authorize/sso-session-store-port.ts';
import type { AuditEvent } from '../../lambdas/catalog/audit/audit-event.ts';

/** Maps that hold SSO sessions, their grants and interactions in memory. */
interface World {
  readonly ssoSessions: Map<string, SsoSession>;
  readonly consents: Map<string, SsoSessionConsent>;
  readonly interactions: Map<string, Interaction>;
  readonly codes: AuthorizationCode[];
  readonly events: AuditEvent[];
}

/** SSO sessions in memory, under the conditions of the table. */
export function memorySsoSessions(world: World): SsoSessionStore {
  const openInTime = (ssoSessionId: string, now: number) => {
    const ssoSession = world.ssoSessions.get(ssoSessionId);
    return ssoSession?.state === 'open' && ssoSession.expiresAt > now;
  };
  return {
    find: async (_lob, ssoSessionId) => world.ssoSessions.get(ssoSessionId),
    consent: async (_lob, { ssoSessionId }, clientId) => world.consents.get(`${ssoSessionId} ${clientId}`),
    async begin({ interaction, now, audit }) {
      if (!openInTime(interaction.ssoSessionId, now)) return false;
      world.interactions.set(interaction.interactionId, interaction);
      return world.events.push(audit) > 0;
    },
    async renew({ ssoSessionId, code, now, audit }) {
      if (!openInTime(ssoSessionId, now)) return 'sign_in_ended';
      const consent = world.consents.get(`${ssoSessionId} ${code.clientId}`);
      if (consent?.state !== 'active' || consent.expiresAt <= now) return 'grant_ended';
      world.codes.push(code);
      world.events.push(audit);
      return 'renewed';
    },
    async end({ ssoSessionId, audit }) {
      const ssoSession = world.ssoSessions.get(ssoSessionId);
      if (ssoSession?.state !== 'open') return false;
      world.ssoSessions.set(ssoSessionId, { ...ssoSession, state: 'ended' });
      return world.events.push(audit) > 0;
    },
  };
}

/**
 * Opens an SSO session.
 *
 * @returns the fields of the interaction that refer to it
 */
export function openSsoSession(world: World, ssoSession: SsoSession | undefined): Partial<Interaction> {
  if (ssoSession === undefined) return {};
  world.ssoSessions.set(ssoSession.ssoSessionId, ssoSession);
  return { ssoSessionId: ssoSession.ssoSessionId };
}

/** Whether a member may answer the consent page: an SSO session that replaced the password must still be open. */
export function mayAnswer(world: World, { ssoSession }: AnswerInSsoSession): boolean {
  return ssoSession?.continued !== true || world.ssoSessions.get(ssoSession.ssoSessionId)?.state === 'open';
}

export function rememberAnswer(
  world: World,
  { ssoSession }: AnswerInSsoSession,
  consent?: SsoSessionConsent,
): void {
  if (ssoSession === undefined) return;
  const name = `${ssoSession.ssoSessionId} ${ssoSession.clientId}`;
  if (consent === undefined) world.consents.delete(name);
  else world.consents.set(name, consent);
}
