import type { TokenAuthority } from '../catalog/token-authority.ts';
import { jwksKey } from './keys.ts';
import type { Table } from './table.ts';

/** The public keys of token authorities as published: RFC 7517 JWK Sets, serialized as they are sent. */
export interface JwksStore {
  /** Strongly consistent. @returns undefined before an authority's first key was made. @throws StoreUnavailable */
  read(authority: TokenAuthority): Promise<string | undefined>;
  /** @param updatedAt ISO 8601. @throws StoreUnavailable */
  publish(authority: TokenAuthority, jwks: string, updatedAt: string): Promise<void>;
}

export function createJwksStore(table: Table): JwksStore {
  return {
    async read(authority) {
      const item = await table.get(jwksKey(authority));
      return typeof item?.jwks === 'string' ? item.jwks : undefined;
    },
    async publish(authority, jwks, updatedAt) {
      await table.put({ ...jwksKey(authority), jwks, updatedAt });
    },
  };
}
