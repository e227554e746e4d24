/** Store of a member's grants: lists the applications a member shared with and their accesses, and ends grants. */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import { isDataOperation } from '../../catalog/fhir/fhir-routes.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { payerOfGrant, permissionEndWrites } from '../../payer-access/store/permission-ends-contract.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import { ConditionFailed, type Table } from '../../platform/table/table.ts';
import { grantKey, grantPartition, patientAuditPartition } from '../../platform/table/table-keys.ts';
import { transition } from '../../platform/table/transition.ts';
import { type MemberGrants, memberStopped, type RecordedRead } from '../authorize/member-grants-port.ts';
import { storedRepresentative } from './authorization-items.ts';
import { grantTransitions } from './states-contract.ts';

const storedGrant = z.object({
  grantId: z.string(),
  clientId: z.string(),
  sub: z.string(),
  representative: z.optional(storedRepresentative),
  scope: z.string(),
  state: z.enum(['pending', 'active', 'revoked']),
  createdAt: z.string(),
  expiresAt: z.number(),
  endedBecause: z.optional(z.string()),
});
const storedEvent = z.object({
  sk: z.string(),
  time: z.string(),
  outcome: z.string(),
  clientId: z.optional(z.string()),
  representativeId: z.optional(z.string()),
  exchangeId: z.optional(z.string()),
  action: z.string(),
  resources: z.optional(z.array(z.string())),
  corrects: z.optional(z.string()),
});

/** Attributes of an audit event that are read to find disclosures, without the list of resources, which can be several kilobytes. */
const withoutResources = ['sk', 'time', 'action', 'outcome', 'clientId', 'corrects'];

/** Accesses on one page, and audit events read by one query. */
const pageLength = 20;
const eventsAtOnce = 200;
/**
 * Maximum number of queries for one page. If events of other applications fill them all, the page is short and its cursor continues from
 * there.
 */
const mostQueries = 5;
/** Maximum number of queries for the last access of all applications: 5,000 events. */
const mostQueriesBack = 25;

/** Maximum seconds by which another function's clock may be behind: it could still redeem a code that is expired here. */
const clockSkewSeconds = 60;

/** Reads and ends a member's grants, and reads the accesses by them from the patient's audit events. */
export function createMemberGrants(table: Table): MemberGrants {
  const grantsOf = async (lob: LineOfBusiness, patientId: string) => {
    const items = await queryAll(table, grantPartition(lob, patientId));
    return items.map((item) => ({ ...storedGrant.parse(item), payer: payerOfGrant(item) }));
  };
  return {
    async live(lob, patientId, now) {
      return (await grantsOf(lob, patientId))
        .filter(({ state, expiresAt }) => state === 'active' && expiresAt > now)
        .map(({ grantId, clientId, sub, representative, scope, expiresAt, createdAt, payer }) => ({
          grantId,
          clientId,
          sub,
          scope,
          expiresAt,
          isPayers: payer !== undefined,
          ...(representative !== undefined && { representative }),
          createdAt: Math.floor(Date.parse(createdAt) / 1000),
        }));
    },
    async endable(lob, patientId, now) {
      return (await grantsOf(lob, patientId)).filter(({ state, expiresAt, payer }) =>
        state === 'pending'
          ? expiresAt + clockSkewSeconds > now
          : state === 'active' && (payer !== undefined || expiresAt > now),
      );
    },
    async hasStopped(lob, patientId, clientId) {
      return (await grantsOf(lob, patientId)).some(
        (grant) => grant.clientId === clientId && grant.endedBecause === memberStopped,
      );
    },
    async lastAccesses(lob, patientId, clientIds, since) {
      const last = new Map<string, number>();
      let lookedBackTo = since;
      const corrected = new Set<string>();
      let after: string | undefined;
      for (let queries = 0; queries < mostQueriesBack; queries += 1) {
        const page = await disclosures(table, lob, patientId, {
          after,
          attributes: withoutResources,
          corrected,
        });
        for (const { clientId, time } of page.accesses) {
          if (clientId === undefined || time < since) continue;
          if (clientIds.includes(clientId) && !last.has(clientId)) last.set(clientId, time);
        }
        after = page.next;
        const whole = page.oldest < since || after === undefined;
        if (whole || last.size === clientIds.length) return { last, lookedBackTo: since };
        lookedBackTo = page.oldest;
      }
      return { last, lookedBackTo };
    },
    async accesses(lob, { patientId, clientId, representativeId }, begin) {
      const found: Disclosure[] = [];
      const isWanted = (access: Disclosure) =>
        (clientId === undefined || access.clientId === clientId) &&
        // A receipt follows from no consent to an application.
        (representativeId === undefined ||
          access.clientId === undefined ||
          access.representativeId === representativeId);
      const corrected = await correctedBefore(table, lob, patientId, begin);
      let after = begin;
      for (let queries = 0; queries < mostQueries && found.length <= pageLength; queries += 1) {
        const page = await disclosures(table, lob, patientId, { after, corrected });
        found.push(...page.accesses.filter(isWanted));
        after = page.next;
        if (after === undefined) break;
      }
      const accesses = found.slice(0, pageLength);
      return { accesses, next: found.length > pageLength ? accesses.at(-1)?.sk : after };
    },
    async stop({ lob, patientId, grant, because, audit }) {
      const update = transition(grantKey(lob, patientId, grant.grantId), grantTransitions.end, {
        sets: 'endedBecause = :because',
        values: { ':because': because },
      });
      try {
        const ends = permissionEndWrites(lob, patientId, grant.payer, audit.time);
        await table.transact([{ update }, ...ends, auditWrite(audit)]);
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    },
  };
}

type Disclosure = RecordedRead & { readonly sk: string; readonly representativeId?: string | undefined };

interface Disclosures {
  readonly accesses: readonly Disclosure[];
  /** Time of the oldest event read, milliseconds since 1970. */
  readonly oldest: number;
  readonly next: string | undefined;
}

interface DisclosureQuery {
  /** `sk` of the event to continue after. */
  readonly after: string | undefined;
  /** Attributes of events to read. @default all */
  readonly attributes?: readonly string[];
  /** IDs of disclosures that newer events correct. The query adds those it finds: the next one may read the disclosure. */
  readonly corrected: Set<string>;
}

/**
 * Queries a patient's audit events once, newest first, for disclosures and receipts. An event that corrects a disclosure is written after it, so it is
 * read before it; the corrected disclosure is left out.
 */
async function disclosures(
  table: Table,
  lob: LineOfBusiness,
  patientId: string,
  { after, attributes, corrected }: DisclosureQuery,
): Promise<Disclosures> {
  const page = await table.query({
    pk: patientAuditPartition(lob, patientId),
    descending: true,
    limit: eventsAtOnce,
    ...(after !== undefined && { after }),
    ...(attributes !== undefined && { attributes }),
  });
  const events = page.items.map((item) => storedEvent.parse(item));
  for (const { corrects } of events) if (corrects !== undefined) corrected.add(corrects);
  const accesses = events.flatMap((event): readonly Disclosure[] => {
    const { sk, action, outcome, clientId, exchangeId, representativeId, resources } = event;
    const eventId = sk.slice(sk.indexOf('#') + 1);
    if (corrected.has(eventId)) return [];
    const time = Date.parse(event.time);
    const found = resources === undefined ? {} : { found: countedByType(resources) };
    if (action === 'payer-exchange.receive')
      return [{ sk, exchangeId, time, resourceType: resources?.[0]?.split('/', 1).join() ?? '', ...found }];
    // Skips disclosures of UserInfo, which have no data of the member's record.
    if (outcome !== 'disclosed' || !isDataOperation(action) || clientId === undefined) return [];
    return [{ sk, clientId, representativeId, time, resourceType: action.split('.', 1).join(), ...found }];
  });
  return { accesses, oldest: Date.parse(events.at(-1)?.time ?? '') || 0, next: page.next };
}

/** Reads which disclosures are corrected by the events directly before a page: by the one that its cursor names, or newer ones. */
async function correctedBefore(
  table: Table,
  lob: LineOfBusiness,
  patientId: string,
  begin: string | undefined,
): Promise<Set<string>> {
  if (begin === undefined) return new Set();
  const page = await table.query({
    pk: patientAuditPartition(lob, patientId),
    // The time alone sorts before every event of that time, so that the named event is read too.
    after: begin.slice(0, begin.indexOf('#')),
    limit: eventsAtOnce,
    attributes: ['sk', 'corrects'],
  });
  return new Set(page.items.flatMap(({ corrects }) => (typeof corrects === 'string' ? [corrects] : [])));
}

/**
 * Counts resources by type.
 *
 * @param resources references, `<type>/<id>`
 */
function countedByType(resources: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of resources.map((name) => name.split('/', 1).join()))
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
