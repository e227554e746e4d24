/** DynamoDB store of published JWK Sets. */

import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { SigningKeyOwner } from '../../catalog/oauth/token-issuer.ts';
import { ConditionFailed, type Table } from '../../platform/table/table.ts';
import { jwksKey } from '../../platform/table/table-keys.ts';

/** The public keys of token issuers as published: RFC 7517 JWK Sets, serialized as they are sent. */
export interface JwksStore {
  /** Strongly consistent. @returns undefined before an owner's first key was made. @throws StoreUnavailable */
  read(owner: SigningKeyOwner): Promise<string | undefined>;
  /** @param updatedAt ISO 8601. @throws StoreUnavailable */
  publish(owner: SigningKeyOwner, jwks: string, updatedAt: string): Promise<void>;
  /**
   * Publishes with its audit event, in one transaction. A version that is published already is left as it is, and its event
   * isn't written twice.
   *
   * @throws StoreUnavailable
   */
  publishVersion(owner: SigningKeyOwner, publication: Publication): Promise<void>;
}

export interface Publication {
  readonly jwks: string;
  /** Version of the secret the keys are in. */
  readonly version: string;
  /** Its `time` is when the keys are published. */
  readonly audit: AuditEvent;
}

export function createJwksStore(table: Table): JwksStore {
  return {
    async read(owner) {
      const item = await table.get(jwksKey(owner));
      return typeof item?.jwks === 'string' ? item.jwks : undefined;
    },
    async publish(owner, jwks, updatedAt) {
      await table.put({ ...jwksKey(owner), jwks, updatedAt });
    },
    async publishVersion(owner, { jwks, version, audit }) {
      const put = { ...jwksKey(owner), jwks, updatedAt: audit.time, version };
      const condition = {
        expression: 'attribute_not_exists(#version) OR #version <> :version',
        names: { '#version': 'version' },
        values: { ':version': version },
      };
      try {
        await table.transact([{ put, condition }, auditWrite(audit)]);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    },
  };
}

/** Whether the published set of an owner has a key now. @throws StoreUnavailable */
export function createPublishedKeys(table: Table) {
  const { read } = createJwksStore(table);
  return async (owner: SigningKeyOwner, kid: string): Promise<boolean> =>
    (await read(owner))?.includes(`"kid":${JSON.stringify(kid)}`) === true;
}
