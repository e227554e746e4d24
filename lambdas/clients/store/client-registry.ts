/**
 * DynamoDB store of clients for provisioning: a client, the lookup items of its keys and the audit event are written in one transaction.
 */

import * as z from 'zod/mini';
import { auditWrite, putAuditEvent } from '../../audit/store/audit-events-contract.ts';
import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { Environment } from '../../catalog/environments.ts';
import { type Interface, offers } from '../../catalog/fhir/interfaces.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import { organizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { Key } from '../../platform/table/key.ts';
import { ConditionFailed, type Item, type Table, type Write } from '../../platform/table/table.ts';
import {
  applicationKey,
  clientKey,
  provisioningRequestKey,
  secretUseKey,
  subscriptionKeyKey,
} from '../../platform/table/table-keys.ts';
import type { Client } from '../provisioning/client.ts';
import type { ClientRegistry, Commit, CompletedRequest } from '../provisioning/provisioning-ports.ts';
import { clientRegistration, clientStates } from '../provisioning/registration-contract.ts';
import { acts } from '../provisioning/transitions.ts';

const expiresAt = z.exactOptional(z.string());
const storedClient = z.object({
  ...clientRegistration.shape,
  clientId: z.string(),
  state: z.enum(clientStates),
  secrets: z.array(
    z.object({
      secretId: z.string(),
      sha256: z.string(),
      encrypted: z.string(),
      createdAt: z.string(),
      expiresAt,
    }),
  ),
  subscriptionKeys: z.array(
    z.object({ apiKeyId: z.string(), sha256: z.string(), createdAt: z.string(), expiresAt }),
  ),
  meteringKey: z.exactOptional(z.object({ apiKeyId: z.string(), value: z.string() })),
  organization: z.exactOptional(z.array(organizationIdentifier)),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const storedRequest = z.object({
  requestId: z.string(),
  action: z.enum(acts),
  fingerprint: z.string(),
  clientId: z.string(),
  encryptedAnswer: z.string(),
  apiKeyId: z.exactOptional(z.string()),
  expiresAt: z.number(),
});

/** Creates the only writer of clients, key lookups and completed requests. */
export function createClientRegistry(table: Table, environment: Environment): ClientRegistry {
  return {
    async client(clientId) {
      const item = await table.get(clientKey(clientId));
      return item === undefined ? undefined : storedClient.parse(item);
    },
    async request(requestId) {
      const item = await table.get(provisioningRequestKey(requestId));
      return item === undefined ? undefined : storedRequest.parse(item);
    },
    async secretDays({ secrets, linesOfBusiness }) {
      const issuers: readonly TokenIssuer[] = [...linesOfBusiness, 'M2M'];
      const asked = secrets.flatMap(({ sha256 }) => issuers.map((issuer) => ({ issuer, sha256 })));
      if (asked.length === 0) return new Map();
      const items = await table.batchGet(asked.map(({ issuer, sha256 }) => secretUseKey(issuer, sha256)));
      const days = new Map<string, string>();
      for (const [index, { sha256 }] of asked.entries()) {
        const day = items[index]?.day;
        if (typeof day === 'string' && day > (days.get(sha256) ?? '')) days.set(sha256, day);
      }
      return days;
    },
    async commit(commit) {
      const time = commit.after.updatedAt;
      try {
        await table.transact([
          clientWrite(commit),
          requestWrite(commit.request, Date.parse(time)),
          ...lookupWrites(commit.before, commit.after),
          auditWrite(auditEvent(environment, commit.request, commit.eventId, time)),
        ]);
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    },
    async auditRepeat(request, eventId, time) {
      await putAuditEvent(table, { ...auditEvent(environment, request, eventId, time), reason: 'repeated' });
    },
    async auditView({ clientId, requestId, eventId, time }) {
      await putAuditEvent(table, {
        eventId,
        time,
        environment,
        lob: 'M2M',
        action: 'client.view-credentials',
        outcome: 'disclosed',
        actor: 'provisioning',
        clientId,
        requestId,
      });
    },
  };
}

function clientWrite({ before, after }: Commit): Write {
  const put = { ...clientKey(after.clientId), ...after };
  return before === undefined
    ? { put, condition: { expression: 'attribute_not_exists(pk)' } }
    : { put, condition: { expression: 'updatedAt = :before', values: { ':before': before.updatedAt } } };
}

/** Writes the record of a request, if none is stored that has not expired. DynamoDB removes it by `ttl`. */
function requestWrite(request: CompletedRequest, now: number): Write {
  return {
    put: { ...provisioningRequestKey(request.requestId), ...request, ttl: request.expiresAt },
    condition: {
      expression: 'attribute_not_exists(pk) OR expiresAt <= :now',
      values: { ':now': Math.floor(now / 1000) },
    },
  };
}

/**
 * Writes the lookup items of the client: one per key, in each of its LOBs and in `M2M`, and one for the application in each LOB. Deletes
 * those of `before` that are no longer needed.
 */
function lookupWrites(before: Client | undefined, after: Client): readonly Write[] {
  const wanted = lookups(after);
  const kept = new Set(wanted.map(({ pk }) => pk));
  const gone = before === undefined ? [] : lookups(before).filter(({ pk }) => !kept.has(pk));
  return [...wanted.map((put) => ({ put })), ...gone.map(({ pk, sk }) => ({ delete: { pk, sk } }))];
}

function lookups(client: Client): readonly (Item & Key)[] {
  return [...keyLookups(client), ...applicationLookups(client)];
}

/** Lookup items by which the authorizers of the client's LOBs find the application of calls without a subscription key. */
function applicationLookups(client: Client): readonly (Item & Key)[] {
  const { clientId, state, meteringKey, organization } = client;
  if (meteringKey === undefined) return [];
  return client.linesOfBusiness.map((lob) => ({
    ...applicationKey(lob, clientId),
    clientId,
    state,
    products: productsAt(client, lob),
    meteringKey: meteringKey.value,
    ...(organization !== undefined && { organization }),
  }));
}

function keyLookups(client: Client): readonly (Item & Key)[] {
  const issuers: readonly TokenIssuer[] = [...client.linesOfBusiness, 'M2M'];
  return client.subscriptionKeys.flatMap(({ sha256, apiKeyId, expiresAt }) =>
    issuers.map((issuer) => ({
      ...subscriptionKeyKey(issuer, sha256),
      clientId: client.clientId,
      products: productsAt(client, issuer),
      apiKeyId,
      state: client.state,
      ...(client.meteringKey !== undefined && { meteringKey: client.meteringKey.value }),
      ...(expiresAt === undefined ? {} : { expiresAt: Math.floor(Date.parse(expiresAt) / 1000) }),
    })),
  );
}

function productsAt(client: Client, issuer: TokenIssuer): readonly Interface[] {
  return issuer === 'M2M' ? client.products : client.products.filter((name) => offers(issuer, name));
}

function auditEvent(
  environment: Environment,
  { action, clientId, requestId }: CompletedRequest,
  eventId: string,
  time: string,
): AuditEvent {
  return {
    eventId,
    time,
    environment,
    lob: 'M2M',
    action: `client.${action}`,
    outcome: 'succeeded',
    actor: 'provisioning',
    clientId,
    requestId,
  };
}
