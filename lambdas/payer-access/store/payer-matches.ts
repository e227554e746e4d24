/** Store of `$member-match`: looks members up by identifier, and writes the grants of matched payers. */

import * as z from 'zod/mini';
import { auditWrite, putAuditEvent } from '../../audit/store/audit-events-contract.ts';
import type { Environment } from '../../catalog/environments.ts';
import { interfaceNames } from '../../catalog/interface-families.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { memberMatchLimits } from '../../catalog/payer/member-match-rules.ts';
import { organizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { searchIssueCodes } from '../../fhir/query/search-issue.ts';
import { decodeResource } from '../../fhir/store/stored-resource.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import {
  applicationKey,
  grantKey,
  jobMemberKey,
  jobMembersPrefix,
  jobPartition,
  matchedPatientKey,
  memberIdKey,
  patientResourceKey,
  permissionEndsKey,
} from '../../platform/table/table-keys.ts';
import type { MatchStore, MemberOutcome, PayerCall } from '../permission/member-match-port.ts';
import { payerNames } from '../permission/payer-permission.ts';
import { permissionEnds, unchangedEnds } from './permission-ends-contract.ts';

const applicationItem = z.object({
  state: z.enum(['active', 'suspended', 'revoked']),
  products: z.array(z.enum(interfaceNames)),
  organization: z._default(z.array(organizationIdentifier), []),
});
const nameItem = z.object({ patientId: z.string(), withdrawnAt: z.optional(z.string()) });
const memberItem = z.object({
  at: z.number(),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('matched'), patientId: z.string(), grantId: z.string() }),
    z.object({ kind: z.literal('unmatched') }),
    z.object({ kind: z.literal('constrained') }),
    z.object({
      kind: z.literal('faulty'),
      isConstrained: z.boolean(),
      issues: z.array(z.object({ code: z.enum(searchIssueCodes), diagnostics: z.string() })),
    }),
    z.object({ kind: z.literal('throttled'), retryAfterSeconds: z.number() }),
  ]),
});

interface MatchStoreOptions {
  readonly lob: LineOfBusiness;
  readonly environment: Environment;
  readonly now: Clock;
  readonly uuid: () => string;
}

/** Looks up members and writes matches in the partitions of one LOB. */
export function createMatchStore(
  table: Table,
  { lob, environment, now, uuid }: MatchStoreOptions,
): MatchStore {
  const eventOf = ({ action, clientId, requestId, clientRequestId }: PayerCall) =>
    ({
      eventId: uuid(),
      time: new Date(now()).toISOString(),
      environment,
      lob,
      actor: clientId,
      clientId,
      requestId,
      action: action ?? 'Patient.member-match',
      ...(clientRequestId !== undefined && { clientRequestId }),
    }) as const;
  /** The write of an outcome of a job's member; none for a single `$member-match`. */
  const outcomeWrites = ({ member }: PayerCall, outcome: MemberOutcome): readonly Write[] => {
    if (member === undefined) return [];
    const { jobId, part, at, expiresAt } = member;
    return [{ put: { ...jobMemberKey(lob, jobId, part, at), at, outcome, ttl: expiresAt } }];
  };
  return {
    async organization(clientId) {
      const item = await table.get(applicationKey(lob, clientId));
      if (item === undefined) return undefined;
      const { state, products, organization } = applicationItem.parse(item);
      return state === 'active' && products.includes('payer-access') ? organization : undefined;
    },

    async patients(identifiers) {
      const names = await table.batchGet(padded(identifiers).map((memberId) => memberIdKey(lob, memberId)));
      const named = identifiers.map((_, at) => {
        const name = names[at] === undefined ? undefined : nameItem.parse(names[at]);
        return name?.withdrawnAt === undefined ? name?.patientId : undefined;
      });
      const asked = padded([...new Set(named.filter((id) => id !== undefined))]);
      const items = await table.batchGet([
        ...asked.map((id) => patientResourceKey(lob, id, 'Patient', id)),
        ...asked.map((id) => permissionEndsKey(lob, id)),
      ]);
      return asked.flatMap((patientId, at) => {
        const item = items[at];
        if (item === undefined) return [];
        const { json, fhirJson } = decodeResource(item);
        const own = identifiers.filter((_, position) => named[position] === patientId);
        const ends = permissionEnds(items[asked.length + at]);
        return [{ patientId, json: fhirJson ?? json, identifiers: own, ends }];
      });
    },

    async saveMatch({ patientId, grantId, scope, policy, consent, expiresAt, organization, ends, ...call }) {
      const event = eventOf(call);
      const grant = {
        ...grantKey(lob, patientId, grantId),
        grantId,
        clientId: call.clientId,
        sub: call.clientId,
        patientId,
        scope,
        expiresAt,
        state: 'active',
        createdAt: event.time,
        consentPolicy: policy,
        consent,
        organization,
      };
      const payer = payerNames(call.clientId, organization);
      return await conditionHolds(table, [
        {
          put: grant,
          condition: {
            expression: 'attribute_not_exists(pk) OR #state = :active',
            names: { '#state': 'state' },
            values: { ':active': 'active' },
          },
        },
        {
          put: {
            ...matchedPatientKey(lob, call.clientId, patientId),
            patientId,
            matchedAt: event.time,
            ttl: expiresAt,
          },
        },
        unchangedEnds(lob, patientId, payer, ends),
        auditWrite({
          ...event,
          outcome: 'disclosed',
          patientId,
          grantId,
          resource: `Patient/${patientId}`,
        }),
        ...outcomeWrites(call, { kind: 'matched', patientId, grantId }),
      ]);
    },

    async recordRefusal(call, reason, outcome) {
      const event = { ...eventOf(call), outcome: 'refused', reason } as const;
      const outcomes = outcome === undefined ? [] : outcomeWrites(call, outcome);
      if (outcomes.length === 0) await putAuditEvent(table, event);
      else await table.transact([auditWrite(event), ...outcomes]);
    },

    async outcomes(jobId, part) {
      const items = await queryAll(table, jobPartition(lob, jobId), jobMembersPrefix(part));
      return new Map(items.map((item) => memberItem.parse(item)).map(({ at, outcome }) => [at, outcome]));
    },

    async recordDisclosure(call, resource) {
      await putAuditEvent(table, { ...eventOf(call), outcome: 'disclosed', resource });
    },
  };
}

/**
 * Fills a list with names that no item has, so that every request reads the same number of keys. The names contain a space, which no
 * submitted identifier does.
 */
function padded(names: readonly string[]): readonly string[] {
  const fillers = Array.from({ length: memberMatchLimits.identifiers }, (_, at) => `no ${at}`);
  return [...names, ...fillers].slice(0, memberMatchLimits.identifiers);
}
