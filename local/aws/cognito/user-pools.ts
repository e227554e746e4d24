/** Local Cognito: user pools and app clients of the templates. */

import { randomBytes } from 'node:crypto';
import { AssemblyError } from '../../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { State } from '../protocol/state.ts';

/** A user pool of a template, with Cognito's defaults. */
export interface UserPool {
  readonly id: string;
  readonly arn: string;
  readonly name: string;
  /** Attributes with which a member may sign in instead of the user name, once they are verified. */
  readonly aliases: readonly ('email' | 'phone_number')[];
  readonly caseSensitive: boolean;
  readonly passwordPolicy: PasswordPolicy;
  /** Names of the pool's own attributes, with their prefix: `custom:plan`. */
  readonly customAttributes: readonly string[];
}

export interface PasswordPolicy {
  readonly minimumLength: number;
  readonly requireLowercase: boolean;
  readonly requireUppercase: boolean;
  readonly requireNumbers: boolean;
  readonly requireSymbols: boolean;
}

export interface UserPoolClient {
  readonly id: string;
  readonly poolId: string;
  readonly name: string;
  readonly secret?: string;
  readonly flows: readonly string[];
  /** Whether the response for an unknown user is the same as for a wrong password. */
  readonly hidesUnknownUsers: boolean;
}

export interface UserPools {
  /** @throws AwsError `ResourceNotFoundException`. */
  pool(id: string): UserPool;
  /** @throws AwsError `ResourceNotFoundException`. */
  client(poolId: string, clientId: string): UserPoolClient;
}

/**
 * Reads the user pools and clients of the templates. A client's secret is made when it is first used, and kept.
 *
 * @throws AssemblyError for a pool whose user names are e-mail addresses, which is not supported here.
 */
export function userPools(assembly: Assembly, state: State): UserPools {
  state.define(
    'CREATE TABLE IF NOT EXISTS pool_client_secret (client_id TEXT PRIMARY KEY, secret TEXT) STRICT;',
  );
  const pools = new Map(
    assembly.ofType('AWS::Cognito::UserPool').map((one) => [one.physicalId, readPool(one)]),
  );
  const declared = assembly.ofType('AWS::Cognito::UserPoolClient');

  function secretOf(clientId: string): string {
    state.write(
      'INSERT OR IGNORE INTO pool_client_secret (client_id, secret) VALUES (?, ?)',
      clientId,
      randomBytes(26).toString('hex'),
    );
    const sql = 'SELECT secret FROM pool_client_secret WHERE client_id = ?';
    return state.one<{ secret: string }>(sql, clientId)?.secret ?? '';
  }

  return {
    pool(id) {
      const pool = pools.get(id);
      if (pool === undefined)
        throw new AwsError('ResourceNotFoundException', `User pool ${id} does not exist.`);
      return pool;
    },
    client(poolId, clientId) {
      const found = declared.find(
        ({ physicalId, properties }) => physicalId === clientId && properties.UserPoolId === poolId,
      );
      if (found === undefined) {
        throw new AwsError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`);
      }
      const { ClientName, ExplicitAuthFlows, PreventUserExistenceErrors, GenerateSecret } = found.properties;
      return {
        id: clientId,
        poolId,
        name: typeof ClientName === 'string' ? ClientName : found.logicalId,
        flows: Array.isArray(ExplicitAuthFlows) ? ExplicitAuthFlows.map(String) : [],
        hidesUnknownUsers: PreventUserExistenceErrors === 'ENABLED',
        ...(String(GenerateSecret) === 'true' ? { secret: secretOf(clientId) } : {}),
      };
    },
  };
}

function readPool({ physicalId, arn, stack, logicalId, properties }: Resource): UserPool {
  if (Array.isArray(properties.UsernameAttributes) && properties.UsernameAttributes.length > 0) {
    throw new AssemblyError(
      `stack ${stack}: ${logicalId}: UsernameAttributes are not known on one machine; use AliasAttributes`,
    );
  }
  const policies = properties.Policies as { PasswordPolicy?: Readonly<Record<string, unknown>> } | undefined;
  const rules = policies?.PasswordPolicy;
  // Without a policy of its own a pool has Cognito's: eight characters of every kind.
  const required = (name: string): boolean => rules === undefined || String(rules[name]) === 'true';
  const usernames = properties.UsernameConfiguration as { CaseSensitive?: unknown } | undefined;
  const schema = (properties.Schema ?? []) as readonly { Name: string }[];
  return {
    id: physicalId,
    arn,
    name: typeof properties.UserPoolName === 'string' ? properties.UserPoolName : logicalId,
    aliases: Array.isArray(properties.AliasAttributes) ? properties.AliasAttributes : [],
    caseSensitive: String(usernames?.CaseSensitive) !== 'false',
    passwordPolicy: {
      minimumLength: Number(rules?.MinimumLength ?? 8),
      requireLowercase: required('RequireLowercase'),
      requireUppercase: required('RequireUppercase'),
      requireNumbers: required('RequireNumbers'),
      requireSymbols: required('RequireSymbols'),
    },
    customAttributes: schema.map(({ Name }) => `custom:${Name}`),
  };
}
