/** DynamoDB store of activations. */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import type { Table } from '../../platform/table/table.ts';
import { activationKey } from '../../platform/table/table-keys.ts';
import { transition } from '../../platform/table/transition.ts';
import type { ActivationStore } from '../activation/activation.ts';
import { endedSessions } from './account-sessions-contract.ts';
import { activationTransitions } from './states-contract.ts';

const stored = z.object({
  interactionId: z.string(),
  state: z.enum(['asked', 'proven', 'done']),
  requestId: z.string(),
  memberId: z.string(),
  requestedAt: z.number(),
  expiresAt: z.number(),
  tries: z.number(),
  proof: z.optional(
    z.object({ mac: z.string(), patientId: z.string(), memberId: z.string(), destinationSha256: z.string() }),
  ),
});

/** Seconds that an activation is kept after its end; it can no longer be used then. */
const keptSeconds = 3_600;

/** Stores activations in the partition of their interaction. */
export function createActivationStore(table: Table): ActivationStore {
  const ofRequest = 'requestId = :requestId';
  return {
    async find(lob, interactionId) {
      const item = await table.get(activationKey(lob, interactionId));
      return item === undefined ? undefined : stored.parse(item);
    },
    async begin(lob, activation) {
      const key = activationKey(lob, activation.interactionId);
      await table.put({ ...key, ...activation, ttl: activation.expiresAt + keptSeconds });
    },
    async askAgain(lob, { interactionId, requestId, requestedAt, expiresAt }, notBefore) {
      const update = transition(activationKey(lob, interactionId), activationTransitions['ask-again'], {
        sets: 'requestId = :requestId, requestedAt = :at, expiresAt = :expiresAt, tries = :none, #ttl = :ttl',
        condition: 'requestedAt <= :notBefore',
        names: { '#ttl': 'ttl' },
        values: {
          ':requestId': requestId,
          ':at': requestedAt,
          ':expiresAt': expiresAt,
          ':none': 0,
          ':notBefore': notBefore,
          ':ttl': expiresAt + keptSeconds,
        },
      });
      return await conditionHolds(table, [{ update }]);
    },
    async keepProof({ lob, activation, proof, audit }) {
      const key = activationKey(lob, activation.interactionId);
      const update = transition(key, activationTransitions.match, {
        sets: 'proof = :proof',
        condition: ofRequest,
        values: { ':proof': proof, ':requestId': activation.requestId },
      });
      return await conditionHolds(table, [{ update }, auditWrite(audit)]);
    },
    async wrongCode({ lob, activation, tries, audit }) {
      const key = activationKey(lob, activation.interactionId);
      const update = transition(key, activationTransitions['wrong-code'], {
        sets: 'tries = :next',
        condition: `${ofRequest} AND tries = :tries`,
        values: { ':requestId': activation.requestId, ':tries': tries, ':next': tries + 1 },
      });
      return await conditionHolds(table, [{ update }, auditWrite(audit)]);
    },
    async rightCode({ lob, activation, tries, mac, now, expiresAt, audit }) {
      const key = activationKey(lob, activation.interactionId);
      const update = transition(key, activationTransitions['right-code'], {
        sets: 'expiresAt = :end',
        condition: `${ofRequest} AND tries = :tries AND proof.mac = :mac AND expiresAt > :now`,
        values: {
          ':requestId': activation.requestId,
          ':tries': tries,
          ':mac': mac,
          ':now': now,
          ':end': expiresAt,
        },
      });
      return await conditionHolds(table, [{ update }, auditWrite(audit)]);
    },
    async complete({ lob, activation, sub, audit }) {
      const key = activationKey(lob, activation.interactionId);
      const update = transition(key, activationTransitions.complete, {
        condition: ofRequest,
        values: { ':requestId': activation.requestId },
      });
      return await conditionHolds(table, [{ update }, endedSessions(sub), auditWrite(audit)]);
    },
  };
}
