import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { AuthorizationStore, Step } from '../oauth/authorization-store.ts';
import type { Interaction } from '../oauth/interaction.ts';
import { auditWrite } from './audit-store.ts';
import { storedCode, storedInteraction } from './authorization-items.ts';
import { authorizationCodeKey, grantKey, interactionKey } from './keys.ts';
import { ConditionFailed, type Table, type Update, type Write } from './table.ts';

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
      const update = advance(step, 'signing-in', 'consenting', {
        expression: ', #member = :member, authTime = :now',
        names: { '#member': 'member' },
        values: { ':member': step.member },
      });
      return await holds(table, [{ update }, auditWrite(step.audit)]);
    },
    async share(step) {
      const { lob, grant, code } = step;
      return await holds(table, [
        { update: advance(step, 'consenting', 'answered') },
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
        { update: advance(step, 'consenting', 'answered') },
        auditWrite(step.audit),
      ]);
    },
    async code(lob, sha256) {
      const item = await table.get(authorizationCodeKey(lob, sha256));
      return item === undefined ? undefined : storedCode.parse(item);
    },
    async redeem({ lob, code, now, grantExpiresAt, audit }) {
      const grant: Update = {
        key: grantKey(lob, code.patientId, code.grantId),
        expression: 'SET #state = :active, expiresAt = :expiresAt',
        condition: '#state = :pending',
        names: { '#state': 'state' },
        values: { ':active': 'active', ':pending': 'pending', ':expiresAt': grantExpiresAt },
      };
      const used = spend(lob, code.sha256, 'redeemed', ' AND expiresAt > :now', { ':now': now });
      return await holds(table, [{ update: used }, { update: grant }, auditWrite(audit)]);
    },
    async end({ lob, code, because, audit }) {
      const grant: Update = {
        key: grantKey(lob, code.patientId, code.grantId),
        expression: 'SET #state = :revoked, endedBecause = :because',
        condition: 'attribute_exists(pk) AND #state <> :revoked',
        names: { '#state': 'state' },
        values: { ':revoked': 'revoked', ':because': because },
      };
      // The grant dies first and by itself: it must, whatever state the code is in by now.
      const ended = await holds(table, [{ update: grant }, auditWrite(audit)]);
      if (!ended) await table.transact([auditWrite(audit)]);
      await holds(table, [{ update: spend(lob, code.sha256, 'ended') }]);
    },
  };
}

/** What a step sets beside the state. `member` is a word DynamoDB reserves. */
interface Also {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Moves an interaction one step on, if it is where the step begins and its time isn't over. */
function advance(
  { lob, interactionId, now }: Step,
  from: Interaction['state'],
  to: Interaction['state'],
  also: Also = { expression: '', names: {}, values: {} },
): Update {
  return {
    key: interactionKey(lob, interactionId),
    expression: `SET #state = :to${also.expression}`,
    condition: '#state = :from AND expiresAt > :now',
    names: { '#state': 'state', ...also.names },
    values: { ':from': from, ':to': to, ':now': now, ...also.values },
  };
}

/** Uses a code up, if it is unused. */
function spend(
  lob: LineOfBusiness,
  sha256: string,
  to: 'redeemed' | 'ended',
  also = '',
  values: Readonly<Record<string, unknown>> = {},
): Update {
  return {
    key: authorizationCodeKey(lob, sha256),
    expression: 'SET #state = :to',
    condition: `#state = :issued${also}`,
    names: { '#state': 'state' },
    values: { ':issued': 'issued', ':to': to, ...values },
  };
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
