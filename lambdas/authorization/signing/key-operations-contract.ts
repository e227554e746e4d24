import * as z from 'zod/mini';
import { signingKeyOwners } from '../../catalog/oauth/token-issuer.ts';

/** Requests of an operator to `key-rotation`: list and remove keys. A rotation is started in Secrets Manager. */
export const keyOperation = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('list'), issuer: z.enum(signingKeyOwners) }),
  z.strictObject({
    action: z.literal('remove'),
    issuer: z.enum(signingKeyOwners),
    kid: z.string().check(z.minLength(1), z.maxLength(128)),
  }),
]);
export type KeyOperation = z.infer<typeof keyOperation>;

export interface ListedKey {
  readonly kid: string;
  readonly state: 'next' | 'current' | 'retired';
  /** Time when the key came into its state, ISO 8601. */
  readonly since: string;
  /** Whether the key is published, so that tokens signed with it verify. */
  readonly published: boolean;
}

export type KeyOperationAnswer =
  | { readonly kind: 'keys'; readonly secretId: string; readonly keys: readonly ListedKey[] }
  | { readonly kind: 'refusal'; readonly reason: 'key_unknown' | 'no_keys' };
