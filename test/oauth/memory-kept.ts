import type { AuthorizationAuditEvent } from '../../lambdas/oauth/audit-event.ts';
import type { AnswerInKept } from '../../lambdas/oauth/authorize/authorization-store.ts';
import type { AuthorizationCode, Interaction } from '../../lambdas/oauth/authorize/interaction.ts';
import type { KeptConsent, SsoSession } from '../../lambdas/oauth/authorize/sso-session.ts';
import type { KeptSignInStore } from '../../lambdas/oauth/authorize/sso-session-store.ts';

/** What kept sign-ins need of a world in memory. */
interface World {
  readonly kept: Map<string, SsoSession>;
  readonly consents: Map<string, KeptConsent>;
  readonly interactions: Map<string, Interaction>;
  readonly codes: AuthorizationCode[];
  readonly events: AuthorizationAuditEvent[];
}

/** Sign-ins that are kept, in memory, under the conditions of the table. */
export function memoryKept(world: World): KeptSignInStore {
  const openInTime = (keptId: string, now: number) => {
    const kept = world.kept.get(keptId);
    return kept?.state === 'open' && kept.expiresAt > now;
  };
  return {
    find: async (_lob, keptId) => world.kept.get(keptId),
    consent: async (_lob, { keptId }, clientId) => world.consents.get(`${keptId} ${clientId}`),
    async begin({ interaction, now, audit }) {
      if (!openInTime(interaction.keptId, now)) return false;
      world.interactions.set(interaction.interactionId, interaction);
      return world.events.push(audit) > 0;
    },
    async renew({ keptId, code, now, audit }) {
      if (!openInTime(keptId, now)) return 'sign_in_ended';
      const consent = world.consents.get(`${keptId} ${code.clientId}`);
      if (consent?.state !== 'active' || consent.expiresAt <= now) return 'grant_ended';
      world.codes.push(code);
      world.events.push(audit);
      return 'renewed';
    },
    async end({ keptId, audit }) {
      const kept = world.kept.get(keptId);
      if (kept?.state !== 'open') return false;
      world.kept.set(keptId, { ...kept, state: 'ended' });
      return world.events.push(audit) > 0;
    },
  };
}

/** Opens a sign-in that is kept. @returns what the interaction has of it */
export function keptIn(world: World, kept: SsoSession | undefined): Partial<Interaction> {
  if (kept === undefined) return {};
  world.kept.set(kept.keptId, kept);
  return { keptId: kept.keptId };
}

/** Whether the sign-in that stood in for the password is still open, where one did. */
export function mayAnswer(world: World, { kept }: AnswerInKept): boolean {
  return kept?.continued !== true || world.kept.get(kept.keptId)?.state === 'open';
}

export function rememberAnswer(world: World, { kept }: AnswerInKept, consent?: KeptConsent): void {
  if (kept === undefined) return;
  const name = `${kept.keptId} ${kept.clientId}`;
  if (consent === undefined) world.consents.delete(name);
  else world.consents.set(name, consent);
}
