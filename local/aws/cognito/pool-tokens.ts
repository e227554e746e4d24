/** Local Cognito: tokens of a sign-in. */

import { generateKeyPair, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { PoolGroups } from './pool-groups.ts';
import type { PoolUser } from './pool-users.ts';
import type { UserPool, UserPoolClient } from './user-pools.ts';

export interface PoolTokens {
  issue(pool: UserPool, client: UserPoolClient, user: PoolUser): Promise<unknown>;
}

/** Cognito's default lifetime of access and ID tokens, in seconds. */
const lifetimeSeconds = 3_600;

/**
 * Makes tokens in Cognito's form, signed (RS256) with a key of this run that is not published. Callers only need to know that sign-in
 * succeeded, and call AdminGetUser for the rest. No API on this machine accepts these tokens.
 */
export function poolTokens(now: () => number, groups: PoolGroups): PoolTokens {
  let key: Promise<KeyObject> | undefined;
  const signed = async (claims: object): Promise<string> => {
    key ??= promisify(generateKeyPair)('rsa', { modulusLength: 2_048 }).then(({ privateKey }) => privateKey);
    const content = `${encode({ alg: 'RS256', kid: 'local' })}.${encode(claims)}`;
    return `${content}.${sign('sha256', Buffer.from(content), await key).toString('base64url')}`;
  };
  return {
    async issue(pool, client, user) {
      const iat = Math.floor(now() / 1_000);
      const [region] = pool.id.split('_');
      const iss = `https://cognito-idp.${region}.amazonaws.com/${pool.id}`;
      const names = groups.ofUser(pool, user).map(({ name }) => name);
      const common = {
        ...(names.length === 0 ? {} : { 'cognito:groups': names }),
        iss,
        sub: user.sub,
        iat,
        auth_time: iat,
        exp: iat + lifetimeSeconds,
        origin_jti: randomUUID(),
      };
      const { username } = user;
      return {
        AccessToken: await signed({
          ...common,
          token_use: 'access',
          client_id: client.id,
          username,
          jti: randomUUID(),
          scope: 'aws.cognito.signin.user.admin',
        }),
        IdToken: await signed({
          ...common,
          ...user.attributes,
          token_use: 'id',
          aud: client.id,
          'cognito:username': username,
          jti: randomUUID(),
        }),
        RefreshToken: randomBytes(128).toString('base64url'),
        ExpiresIn: lifetimeSeconds,
        TokenType: 'Bearer',
      };
    },
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
