/** DynamoDB store of interactions, authorization codes and grants. */

import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Transition } from '../../platform/kernel/transition.ts';
import { conditionHolds, failedConditions, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Table, Update, Write } from '../../platform/table/table.ts';
import { authorizationCodeKey, grantKey, interactionKey } from '../../platform/table/table-keys.ts';
import { type TransitionConditions, transition } from '../../platform/table/transition.ts';
import type {
  AuthorizationStore,
  InteractionTransition,
  Redemption,
  ReplacedGrant,
} from '../authorize/authorization-store-port.ts';
import { standingRepresentation } from './account-access.ts';
import { storedCode, storedInteraction } from './authorization-items.ts';
import { issuedCode, livingGrant } from './grant-writes.ts';
import { authTimeOf, ofAuthenticationRequest } from './provider-answers.ts';
import { createdSsoSession, rememberedConsent, ssoSessionReference } from './sso-session-store.ts';
import { authorizationCodeTransitions, grantTransitions, interactionTransitions } from './states-contract.ts';
import { createdFamily } from './token-store.ts';

/** Stores interactions, codes and grants. Each step is one transaction with its audit event. */
export function createAuthorizationStore(table: Table): AuthorizationStore {
  return {
    async begin(lob, interaction) {
      const put = {
        ...interactionKey(lob, interaction.interactionId),
        ...interaction,
        ttl: interaction.expiresAt,
      };
      await table.put(put, { expression: 'attribute_not_exists(pk)' });
    },
    async interaction(lob, interactionId) {
      const item = await table.get(interactionKey(lob, interactionId));
      return item === undefined ? undefined : storedInteraction.parse(item);
    },
    async signIn(step) {
      const keeps = ssoSessionReference(step.ssoSession);
      const update = advance(step, interactionTransitions['sign-in'], {
        sets: `#member = :member, authTime = :authTime${keeps.sets}`,
        names: { '#member': 'member' },
        values: { ':member': step.member, ':authTime': authTimeOf(step), ...keeps.values },
      });
      const opened = createdSsoSession(step.lob, step.ssoSession);
      return await conditionHolds(table, [{ update }, auditWrite(step.audit), ...opened]);
    },
    async share(step) {
      const { lob, grant, code } = step;
      const writes = [
        { update: advance(step, interactionTransitions.share) },
        putIfAbsent({ ...grantKey(lob, grant.patientId, grant.grantId), ...grant, state: 'pending' }),
        issuedCode(lob, code),
        auditWrite(step.audit),
        ...rememberedConsent(step, grant.grantId),
        ...standingRepresentation(lob, code, step.now),
      ];
      let { replaces = [] } = step;
      for (;;) {
        const ends = replaces.map((each) => endedGrant(lob, grant.patientId, each));
        const events = replaces.map(({ audit }) => auditWrite(audit));
        const failed = await failedConditions(table, [...writes, ...ends, ...events]);
        if (failed.length === 0 || failed.some((at) => at < writes.length)) return failed.length === 0;
        // A grant to be replaced was ended by another request meanwhile: the transaction is repeated without that grant.
        replaces = replaces.filter((_each, at) => !failed.includes(writes.length + at));
      }
    },
    async decline(step) {
      return await conditionHolds(table, [
        { update: advance(step, interactionTransitions.decline) },
        auditWrite(step.audit),
        ...rememberedConsent(step),
      ]);
    },
    async demonstrate({ lob, grant, audit }) {
      // Each visitor has one, so none is kept for longer than its token. The audit has it longer.
      const ttl = grant.expiresAt;
      const active = { ...grantKey(lob, grant.patientId, grant.grantId), ...grant, state: 'active', ttl };
      await table.transact([putIfAbsent(active), auditWrite(audit)]);
    },
    async code(lob, sha256) {
      const item = await table.get(authorizationCodeKey(lob, sha256));
      return item === undefined ? undefined : storedCode.parse(item);
    },
    async redeem({ lob, code, now, grantExpiresAt, family, audit }) {
      const used = transition(authorizationCodeKey(lob, code.sha256), authorizationCodeTransitions.redeem, {
        condition: 'expiresAt > :now',
        values: { ':now': now },
      });
      const grant = redeemedGrant({ lob, code, now }, grantExpiresAt);
      const first = family === undefined ? [] : [createdFamily(lob, family)];
      const stands = standingRepresentation(lob, code, now);
      const writes = [{ update: used }, grant, auditWrite(audit), ...first, ...stands];
      const failed = await failedConditions(table, writes);
      if (failed.length === 0) return 'redeemed';
      return failed.includes(0) ? 'code_used' : 'grant_ended';
    },
    async end({ lob, code, because, ends, audit }) {
      const unused = {
        update: transition(authorizationCodeKey(lob, code.sha256), authorizationCodeTransitions.end),
      };
      const grant = transition(grantKey(lob, code.patientId, code.grantId), grantTransitions.end, {
        sets: 'endedBecause = :because',
        values: { ':because': because },
      });
      // The grant ends in a transaction of its own, because the code may have been used already.
      const first = ends === 'grant' ? { update: grant } : unused;
      const ended = await conditionHolds(table, [first, auditWrite(audit)]);
      if (!ended) await table.transact([auditWrite(audit)]);
      if (ends === 'grant') await conditionHolds(table, [unused]);
    },
  };
}

/** The update for a transition of an interaction that has not expired. `member` is a reserved word in DynamoDB. */
function advance(
  { lob, interactionId, now, provider }: InteractionTransition,
  edge: Transition,
  also: TransitionConditions = {},
): Update {
  const answered = ofAuthenticationRequest(provider);
  return transition(interactionKey(lob, interactionId), edge, {
    ...also,
    condition: `expiresAt > :now${answered.condition}`,
    values: { ':now': now, ...answered.values, ...also.values },
  });
}

function endedGrant(lob: LineOfBusiness, patientId: string, { grantId, because }: ReplacedGrant): Write {
  const sets = { sets: 'endedBecause = :because', values: { ':because': because } };
  return { update: transition(grantKey(lob, patientId, grantId), grantTransitions.end, sets) };
}

/**
 * The write for a grant whose code is redeemed. The first code makes the grant active; a code of `prompt=none` requires an active grant and
 * does not change it.
 */
function redeemedGrant({ lob, code, now }: Omit<Redemption, 'audit'>, grantExpiresAt: number): Write {
  const key = grantKey(lob, code.patientId, code.grantId);
  if (code.grantExpiresAt !== undefined) return livingGrant(key, code.clientId, now);
  return {
    update: transition(key, grantTransitions.redeem, {
      sets: 'expiresAt = :expiresAt',
      values: { ':expiresAt': grantExpiresAt },
    }),
  };
}
