/** Store of SSO sessions, and of the consents given in them. */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { conditionHolds, failedConditions, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import {
  grantKey,
  interactionKey,
  ssoSessionConsentKey,
  ssoSessionKey,
} from '../../platform/table/table-keys.ts';
import { stateCheck, transition } from '../../platform/table/transition.ts';
import type { AnswerInSsoSession, InteractionTransition } from '../authorize/authorization-store-port.ts';
import type { SsoSession } from '../authorize/sso-session.ts';
import type { SsoSessionStore } from '../authorize/sso-session-store-port.ts';
import { ssoSessionSeconds } from '../oauth/member-account.ts';
import { standingRepresentation } from './account-access.ts';
import { storedSignedInMember } from './authorization-items.ts';
import { issuedCode, livingGrant } from './grant-writes.ts';
import { ssoSessionTransitions } from './states-contract.ts';

const storedSsoSession = z.object({
  state: z.enum(['open', 'ended']),
  member: storedSignedInMember,
  authTime: z.number(),
  expiresAt: z.number(),
});
const storedConsent = z.object({ grantId: z.string() });
const storedGrant = z.object({
  grantId: z.string(),
  clientId: z.string(),
  scope: z.string(),
  state: z.enum(['pending', 'active', 'revoked']),
  expiresAt: z.number(),
});

/** Seconds that the item of a session is kept after its end: interactions that began in the session check whether it was ended. */
const clearedAfterSeconds = 3_600;

/** Stores SSO sessions and the consents given in them. */
export function createSsoSessionStore(table: Table): SsoSessionStore {
  return {
    async find(lob, ssoSessionId) {
      const item = await table.get(ssoSessionKey(lob, ssoSessionId));
      return item === undefined ? undefined : { ...storedSsoSession.parse(item), ssoSessionId };
    },
    async consent(lob, { ssoSessionId, member }, clientId) {
      const item = await table.get(ssoSessionConsentKey(lob, ssoSessionId, clientId));
      if (item === undefined) return undefined;
      const { grantId } = storedConsent.parse(item);
      const found = await table.get(grantKey(lob, member.patientId, grantId));
      // The last consent may be about another patient of the account: then the grant is not under this patient.
      if (found === undefined) return undefined;
      const grant = storedGrant.parse(found);
      return grant.clientId === clientId ? grant : undefined;
    },
    async begin({ lob, interaction, now, audit }) {
      const { interactionId, ssoSessionId, expiresAt } = interaction;
      const begun = putIfAbsent({ ...interactionKey(lob, interactionId), ...interaction, ttl: expiresAt });
      return await conditionHolds(table, [begun, openInTime(lob, ssoSessionId, now), auditWrite(audit)]);
    },
    async renew({ lob, ssoSessionId, code, now, audit }) {
      const failed = await failedConditions(table, [
        openInTime(lob, ssoSessionId, now),
        livingGrant(grantKey(lob, code.patientId, code.grantId), code.clientId, now),
        issuedCode(lob, code),
        auditWrite(audit),
        ...standingRepresentation(lob, code, now),
      ]);
      if (failed.length === 0) return 'renewed';
      return failed.includes(0) ? 'sign_in_ended' : 'grant_ended';
    },
    async end({ lob, ssoSessionId, audit }) {
      const update = transition(ssoSessionKey(lob, ssoSessionId), ssoSessionTransitions.end);
      return await conditionHolds(table, [{ update }, auditWrite(audit)]);
    },
  };
}

/** The write that opens an SSO session in the transaction of its sign-in. */
export function createdSsoSession(lob: LineOfBusiness, session: SsoSession | undefined): readonly Write[] {
  if (session === undefined) return [];
  const ttl = session.expiresAt + clearedAfterSeconds;
  return [putIfAbsent({ ...ssoSessionKey(lob, session.ssoSessionId), ...session, ttl })];
}

/** The update that stores the ID of the SSO session in an interaction. */
export function ssoSessionReference(session: SsoSession | undefined) {
  if (session === undefined) return { sets: '', values: {} };
  return { sets: ', ssoSessionId = :ssoSessionId', values: { ':ssoSessionId': session.ssoSessionId } };
}

/**
 * The writes that remember a consent in its SSO session. The last answer counts: after a member has shared and then declined, the consent
 * page is shown again.
 *
 * @param grantId the new grant; undefined if the member declined.
 */
export function rememberedConsent(
  { lob, now, ssoSession: session }: InteractionTransition & AnswerInSsoSession,
  grantId?: string,
): readonly Write[] {
  if (session === undefined) return [];
  const key = ssoSessionConsentKey(lob, session.ssoSessionId, session.clientId);
  if (grantId === undefined) return [{ delete: key }];
  const put = { ...key, grantId, ttl: now + ssoSessionSeconds + clearedAfterSeconds };
  return session.continued
    ? [{ put }, stateCheck(ssoSessionKey(lob, session.ssoSessionId), ssoSessionTransitions.use)]
    : [{ put }];
}

function openInTime(lob: LineOfBusiness, ssoSessionId: string, now: number): Write {
  return stateCheck(ssoSessionKey(lob, ssoSessionId), ssoSessionTransitions.use, {
    condition: 'expiresAt > :now',
    values: { ':now': now },
  });
}
