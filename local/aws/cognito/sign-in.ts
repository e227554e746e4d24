/** Local Cognito: sign-in from a server, by `AdminInitiateAuth`. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AwsError, NotImplemented } from '../protocol/aws-error.ts';
import type { PoolGroups } from './pool-groups.ts';
import { verifyPassword } from './pool-passwords.ts';
import { poolTokens } from './pool-tokens.ts';
import type { PoolUser, PoolUsers } from './pool-users.ts';
import type { UserPool, UserPoolClient, UserPools } from './user-pools.ts';

interface SignInDeps {
  readonly pools: UserPools;
  readonly users: PoolUsers;
  readonly groups: PoolGroups;
  readonly now: () => number;
}

interface InitiateAuth {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly AuthFlow: string;
  readonly AuthParameters?: Readonly<Record<string, string>> | undefined;
}

/** The operation `AdminInitiateAuth`. */
export type SignIn = (input: InitiateAuth) => Promise<unknown>;

/** Number of failures before the first lockout. Source: Cognito developer guide, "Lockout behavior". */
const freeFailures = 5;
const longestLockMs = 15 * 60_000;

/** Makes the operation for sign-in with a password from a server. */
export function signIn({ pools, users, groups, now }: SignInDeps): SignIn {
  const tokens = poolTokens(now, groups);
  return async ({ UserPoolId, ClientId, AuthFlow, AuthParameters = {} }) => {
    const pool = pools.pool(UserPoolId);
    const client = pools.client(UserPoolId, ClientId);
    checkFlow(client, AuthFlow);
    const { USERNAME, PASSWORD, SECRET_HASH } = AuthParameters;
    if (USERNAME === undefined) throw missing('USERNAME');
    if (PASSWORD === undefined) throw missing('PASSWORD');
    checkSecretHash(client, USERNAME, SECRET_HASH);
    const user = await authenticate({ pool, client, users, now }, USERNAME, PASSWORD);
    if (user.status === 'FORCE_CHANGE_PASSWORD') return challenge(user);
    return { ChallengeParameters: {}, AuthenticationResult: await tokens.issue(pool, client, user) };
  };
}

/** The challenge to replace a temporary password. Nobody answers it here: members and developers get a password by `AdminSetUserPassword`. */
function challenge({ username, attributes }: PoolUser): unknown {
  return {
    ChallengeName: 'NEW_PASSWORD_REQUIRED',
    Session: randomBytes(64).toString('base64url'),
    ChallengeParameters: {
      USER_ID_FOR_SRP: username,
      requiredAttributes: '[]',
      userAttributes: JSON.stringify(attributes),
    },
  };
}

function checkFlow({ flows }: UserPoolClient, flow: string): void {
  if (flow !== 'ADMIN_USER_PASSWORD_AUTH' && flow !== 'ADMIN_NO_SRP_AUTH')
    throw new NotImplemented(`flow ${flow}`);
  if (flows.includes('ALLOW_ADMIN_USER_PASSWORD_AUTH') || flows.includes('ADMIN_NO_SRP_AUTH')) return;
  throw new AwsError('InvalidParameterException', 'Auth flow not enabled for this client');
}

/**
 * Checks the secret hash: base64 of HMAC-SHA-256 over user name and client ID. Source: Cognito developer guide, "Computing secret hash
 * values".
 */
function checkSecretHash({ id, secret }: UserPoolClient, username: string, given: string | undefined): void {
  if (secret === undefined) {
    if (given !== undefined) throw notAuthorized(`Unable to verify secret hash for client ${id}`);
    return;
  }
  if (given === undefined) {
    throw notAuthorized(`Client ${id} is configured with secret but SECRET_HASH was not received`);
  }
  const expected = createHmac('sha256', secret).update(`${username}${id}`).digest();
  const actual = Buffer.from(given, 'base64');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw notAuthorized(`Unable to verify secret hash for client ${id}`);
  }
}

interface Attempt {
  readonly pool: UserPool;
  readonly client: UserPoolClient;
  readonly users: PoolUsers;
  readonly now: () => number;
}

async function authenticate(
  { pool, client, users, now }: Attempt,
  name: string,
  password: string,
): Promise<PoolUser> {
  const user = users.find(pool, name);
  if (user !== undefined && !user.enabled) throw notAuthorized('User is disabled.');
  if (isLocked(user, now())) throw notAuthorized('Password attempts exceeded');
  const good = await verifyPassword(password, user?.passwordHash ?? null);
  // The user is read again, because several passwords may be tried at once, and each failure must count before the next response.
  const present = user === undefined ? undefined : users.find(pool, user.sub);
  if (isLocked(present, now())) throw notAuthorized('Password attempts exceeded');
  if (present === undefined) {
    if (!client.hidesUnknownUsers) throw new AwsError('UserNotFoundException', 'User does not exist.');
    throw notAuthorized('Incorrect username or password.');
  }
  if (!good) {
    const rested = now() - lockedUntil(present) > longestLockMs;
    users.update(pool, present, { failures: rested ? 1 : present.failures + 1, lastFailureAt: now() });
    throw notAuthorized('Incorrect username or password.');
  }
  return present.failures === 0 ? present : users.update(pool, present, { failures: 0 });
}

function isLocked(user: PoolUser | undefined, now: number): boolean {
  return user !== undefined && user.failures >= freeFailures && now < lockedUntil(user);
}

/** End of the lockout after the n-th failure: 2^(n-5) seconds, at most 15 minutes. */
function lockedUntil({ failures, lastFailureAt }: PoolUser): number {
  if (failures < freeFailures) return lastFailureAt;
  return lastFailureAt + Math.min(1_000 * 2 ** (failures - freeFailures), longestLockMs);
}

function missing(parameter: string): AwsError {
  return new AwsError('InvalidParameterException', `Missing required parameter ${parameter}`);
}

function notAuthorized(message: string): AwsError {
  return new AwsError('NotAuthorizedException', message);
}
