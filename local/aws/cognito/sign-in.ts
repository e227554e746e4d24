/** Local Cognito: sign-in from a server, by `AdminInitiateAuth` and the responses to its challenges. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AwsError, NotImplemented } from '../protocol/aws-error.ts';
import type { PoolGroups } from './pool-groups.ts';
import { checkPassword, hashPassword, verifyPassword } from './pool-passwords.ts';
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

interface RespondToChallenge {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly ChallengeName: string;
  readonly ChallengeResponses?: Readonly<Record<string, string>> | undefined;
  readonly Session?: string | undefined;
}

export interface SignIn {
  initiate(input: InitiateAuth): Promise<unknown>;
  respond(input: RespondToChallenge): Promise<unknown>;
}

/** Number of failures before the first lockout. Source: Cognito developer guide, "Lockout behavior". */
const freeFailures = 5;
const longestLockMs = 15 * 60_000;
const sessionMs = 3 * 60_000;

/** Makes the operations for sign-in with a password from a server, and for the challenge to replace a temporary password. */
export function signIn({ pools, users, groups, now }: SignInDeps): SignIn {
  const tokens = poolTokens(now, groups);
  /** Sign-ins that wait for a new password, by session. They are valid for three minutes, so they need not survive a restart. */
  const waiting = new Map<
    string,
    { readonly sub: string; readonly clientId: string; readonly until: number }
  >();

  function challenge(client: UserPoolClient, user: PoolUser): unknown {
    const Session = randomBytes(64).toString('base64url');
    for (const [session, { until }] of waiting) if (until < now()) waiting.delete(session);
    waiting.set(Session, { sub: user.sub, clientId: client.id, until: now() + sessionMs });
    const ChallengeParameters = {
      USER_ID_FOR_SRP: user.username,
      requiredAttributes: '[]',
      userAttributes: JSON.stringify(user.attributes),
    };
    return { ChallengeName: 'NEW_PASSWORD_REQUIRED', Session, ChallengeParameters };
  }

  return {
    async initiate({ UserPoolId, ClientId, AuthFlow, AuthParameters = {} }) {
      const pool = pools.pool(UserPoolId);
      const client = pools.client(UserPoolId, ClientId);
      checkFlow(client, AuthFlow);
      const { USERNAME, PASSWORD, SECRET_HASH } = AuthParameters;
      if (USERNAME === undefined) throw missing('USERNAME');
      if (PASSWORD === undefined) throw missing('PASSWORD');
      checkSecretHash(client, USERNAME, SECRET_HASH);
      const user = await authenticate({ pool, client, users, now }, USERNAME, PASSWORD);
      if (user.status === 'FORCE_CHANGE_PASSWORD') return challenge(client, user);
      return { ChallengeParameters: {}, AuthenticationResult: await tokens.issue(pool, client, user) };
    },
    async respond({ UserPoolId, ClientId, ChallengeName, ChallengeResponses = {}, Session = '' }) {
      const pool = pools.pool(UserPoolId);
      const client = pools.client(UserPoolId, ClientId);
      if (ChallengeName !== 'NEW_PASSWORD_REQUIRED') throw new NotImplemented(`challenge ${ChallengeName}`);
      const { USERNAME, NEW_PASSWORD, SECRET_HASH } = ChallengeResponses;
      if (USERNAME === undefined) throw missing('USERNAME');
      if (NEW_PASSWORD === undefined) throw missing('NEW_PASSWORD');
      checkSecretHash(client, USERNAME, SECRET_HASH);
      const started = waiting.get(Session);
      const user = users.find(pool, USERNAME);
      if (
        user === undefined ||
        started?.sub !== user.sub ||
        started.clientId !== ClientId ||
        started.until < now()
      ) {
        throw notAuthorized('Invalid session for the user.');
      }
      checkPassword(NEW_PASSWORD, pool.passwordPolicy);
      waiting.delete(Session);
      const passwordHash = await hashPassword(NEW_PASSWORD);
      const confirmed = users.update(pool, user, { passwordHash, status: 'CONFIRMED' });
      return { ChallengeParameters: {}, AuthenticationResult: await tokens.issue(pool, client, confirmed) };
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
