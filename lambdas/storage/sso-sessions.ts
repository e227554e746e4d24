import * as z from 'zod/mini';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { AnswerInKept, InteractionStep } from '../oauth/authorize/authorization-store.ts';
import { keptSeconds, type SsoSession } from '../oauth/authorize/sso-session.ts';
import type { KeptSignInStore } from '../oauth/authorize/sso-session-store.ts';
import { keptSignInTransitions } from '../oauth/states.ts';
import { conditionHolds, created, failures } from '../table/conditional-writes.ts';
import type { Table, Write } from '../table/table.ts';
import { standing, transition } from '../table/transition.ts';
import { auditWrite } from './audit-store.ts';
import { issuedCode, livingGrant } from './grant-writes.ts';
import { grantKey, interactionKey, keptConsentKey, keptSignInKey } from './keys.ts';

const storedKeptSignIn = z.object({
  keptId: z.string(),
  state: z.enum(['open', 'ended']),
  member: z.object({ sub: z.string(), patientId: z.string(), displayName: z.string() }),
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

/** Housekeeping comes an hour after the end: an interaction that began in time may still look whether it was ended. */
const clearedAfterSeconds = 3_600;

/** Sign-ins that members keep, over the table. */
export function createKeptSignIns(table: Table): KeptSignInStore {
  return {
    async find(lob, keptId) {
      const item = await table.get(keptSignInKey(lob, keptId));
      return item === undefined ? undefined : storedKeptSignIn.parse(item);
    },
    async consent(lob, { keptId, member }, clientId) {
      const item = await table.get(keptConsentKey(lob, keptId, clientId));
      if (item === undefined) return undefined;
      const { grantId } = storedConsent.parse(item);
      const grant = storedGrant.parse(await table.get(grantKey(lob, member.patientId, grantId)));
      return grant.clientId === clientId ? grant : undefined;
    },
    async begin({ lob, interaction, now, audit }) {
      const { interactionId, keptId, expiresAt } = interaction;
      const begun = created({ ...interactionKey(lob, interactionId), ...interaction, ttl: expiresAt });
      return await conditionHolds(table, [begun, openInTime(lob, keptId, now), auditWrite(audit)]);
    },
    async renew({ lob, keptId, code, now, audit }) {
      const failed = await failures(table, [
        openInTime(lob, keptId, now),
        livingGrant(grantKey(lob, code.patientId, code.grantId), code.clientId, now),
        issuedCode(lob, code),
        auditWrite(audit),
      ]);
      if (failed.length === 0) return 'renewed';
      return failed.includes(0) ? 'sign_in_ended' : 'grant_ended';
    },
    async end({ lob, keptId, audit }) {
      const update = transition(keptSignInKey(lob, keptId), keptSignInTransitions.end);
      return await conditionHolds(table, [{ update }, auditWrite(audit)]);
    },
  };
}

/** What a sign-in that is kept adds to the transaction that completes it. */
export function openedKeptSignIn(lob: LineOfBusiness, kept: SsoSession | undefined): readonly Write[] {
  if (kept === undefined) return [];
  const ttl = kept.expiresAt + clearedAfterSeconds;
  return [created({ ...keptSignInKey(lob, kept.keptId), ...kept, ttl })];
}

/** What a sign-in that is kept adds to the interaction. */
export function keptBy(kept: SsoSession | undefined) {
  if (kept === undefined) return { sets: '', values: {} };
  return { sets: ', keptId = :keptId', values: { ':keptId': kept.keptId } };
}

/**
 * What an answer adds where it is given in a kept sign-in: the last one counts, so that who shared and then did not is asked
 * again.
 *
 * @param grantId of what was shared; undefined where it was not.
 */
export function answeredInKept(
  { lob, now, kept }: InteractionStep & AnswerInKept,
  grantId?: string,
): readonly Write[] {
  if (kept === undefined) return [];
  const key = keptConsentKey(lob, kept.keptId, kept.clientId);
  if (grantId === undefined) return [{ delete: key }];
  const put = { ...key, grantId, ttl: now + keptSeconds + clearedAfterSeconds };
  return kept.continued
    ? [{ put }, standing(keptSignInKey(lob, kept.keptId), keptSignInTransitions.use)]
    : [{ put }];
}

function openInTime(lob: LineOfBusiness, keptId: string, now: number): Write {
  return standing(keptSignInKey(lob, keptId), keptSignInTransitions.use, {
    condition: 'expiresAt > :now',
    values: { ':now': now },
  });
}
