import type { AuthorizationStore, Step } from '../oauth/authorization-store.ts';
import {
  codeTransitions,
  grantTransitions,
  interactionTransitions,
  type Transition,
} from '../oauth/states.ts';
import { auditWrite } from './audit-store.ts';
import { storedCode, storedInteraction } from './authorization-items.ts';
import { authorizationCodeKey, grantKey, interactionKey } from './keys.ts';
import { ConditionFailed, type Table, type Update, type Write } from './table.ts';
import { createdFamily } from './token-store.ts';
import { type Beside, transition } from './transition.ts';

/** A used code is remembered this long: until its last token is certainly over, a replay must still be seen. */
const codeKeptSeconds = 24 * 60 * 60;

/** Interactions, codes and grants over the table. Each step is one transaction with its audit event. */
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
      const update = advance(step, interactionTransitions['sign-in'], {
        sets: '#member = :member, authTime = :now',
        names: { '#member': 'member' },
        values: { ':member': step.member },
      });
      return await holds(table, [{ update }, auditWrite(step.audit)]);
    },
    async share(step) {
      const { lob, grant, code } = step;
      return await holds(table, [
        { update: advance(step, interactionTransitions.share) },
        created({ ...grantKey(lob, grant.patientId, grant.grantId), ...grant, state: 'pending' }),
        created({
          ...authorizationCodeKey(lob, code.sha256),
          ...code,
          ttl: code.expiresAt + codeKeptSeconds,
        }),
        auditWrite(step.audit),
      ]);
    },
    async decline(step) {
      return await holds(table, [
        { update: advance(step, interactionTransitions.decline) },
        auditWrite(step.audit),
      ]);
    },
    async code(lob, sha256) {
      const item = await table.get(authorizationCodeKey(lob, sha256));
      return item === undefined ? undefined : storedCode.parse(item);
    },
    async redeem({ lob, code, now, grantExpiresAt, family, audit }) {
      const grant = transition(grantKey(lob, code.patientId, code.grantId), grantTransitions.redeem, {
        sets: 'expiresAt = :expiresAt',
        values: { ':expiresAt': grantExpiresAt },
      });
      const used = transition(authorizationCodeKey(lob, code.sha256), codeTransitions.redeem, {
        condition: 'expiresAt > :now',
        values: { ':now': now },
      });
      const first = family === undefined ? [] : [createdFamily(lob, family)];
      return await holds(table, [{ update: used }, { update: grant }, auditWrite(audit), ...first]);
    },
    async end({ lob, code, because, audit }) {
      const grant = transition(grantKey(lob, code.patientId, code.grantId), grantTransitions.end, {
        sets: 'endedBecause = :because',
        values: { ':because': because },
      });
      // The grant dies first and by itself: it must, whatever state the code is in by now.
      const ended = await holds(table, [{ update: grant }, auditWrite(audit)]);
      if (!ended) await table.transact([auditWrite(audit)]);
      const unused = transition(authorizationCodeKey(lob, code.sha256), codeTransitions.end);
      await holds(table, [{ update: unused }]);
    },
  };
}

/** Moves an interaction one step on, if its time isn't over. `member` is a word DynamoDB reserves. */
function advance({ lob, interactionId, now }: Step, edge: Transition, also: Beside = {}): Update {
  return transition(interactionKey(lob, interactionId), edge, {
    ...also,
    condition: 'expiresAt > :now',
    values: { ':now': now, ...also.values },
  });
}

function created(put: { readonly pk: string; readonly sk: string } & Record<string, unknown>): Write {
  return { put, condition: { expression: 'attribute_not_exists(pk)' } };
}

/** Whether every condition held, and so everything was written. */
async function holds(table: Table, writes: readonly Write[]): Promise<boolean> {
  try {
    await table.transact(writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
