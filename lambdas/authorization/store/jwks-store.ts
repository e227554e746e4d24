/** DynamoDB store of published JWK Sets. */

import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { SigningKeyOwner } from '../../catalog/oauth/token-issuer.ts';
import { ConditionFailed, type Table } from '../../platform/table/table.ts';
import { jwksKey } from '../../platform/table/table-keys.ts';

/** Stores the public keys of token issuers as JWK Sets (RFC 7517), serialized as they are sent. */
export interface JwksStore {
  /**
   * Reads a published JWK Set, strongly consistent.
   *
   * @returns undefined before an owner's first key was made.
   * @throws StoreUnavailable
   */
  read(owner: SigningKeyOwner): Promise<string | undefined>;
  /**
   * Publishes a JWK Set.
   *
   * @param updatedAt ISO 8601.
   * @throws StoreUnavailable
   */
  publish(owner: SigningKeyOwner, jwks: string, updatedAt: string): Promise<void>;
  /**
   * Publishes a version with its audit event, in one transaction. Does nothing if the version is published already.
   *
   * @throws StoreUnavailable
   */
  publishVersion(owner: SigningKeyOwner, publication: Publication): Promise<void>;
}

export interface Publication {
  readonly jwks: string;
  /** Version of the secret that has the keys. */
  readonly version: string;
  /** The audit event; its `time` is the time of publication. */
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

/**
 * Whether a key is in the published set of an owner now.
 *
 * @throws StoreUnavailable
 */
export function createPublishedKeys(table: Table) {
  const { read } = createJwksStore(table);
  return async (owner: SigningKeyOwner, kid: string): Promise<boolean> =>
    (await read(owner))?.includes(`"kid":${JSON.stringify(kid)}`) === true;
}
