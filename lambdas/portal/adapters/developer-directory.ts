/** Adapter for the Cognito user pool of developers and operators. */

import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { decodeJwt } from 'jose';
import { available, meaningOf } from '../../platform/aws/cognito-failure.ts';
import { rememberedSecret, secretHash } from '../../platform/aws/cognito-secret.ts';
import { normalizedPassword, tryPassword } from '../../platform/aws/password-spelling.ts';
import type { Directory, DirectorySignIn, DirectoryUser } from '../accounts/developer-directory-port.ts';

/** Timeout of a call to Cognito in milliseconds, so that the page gets an answer before the function's timeout. */
const attemptTimeoutMs = 3_000;
/** Members of this group are operators. */
export const operatorGroup = 'operators';

/**
 * Creates the adapter that sets and checks the passwords of developers and operators in the portal's user pool. A developer's user has the
 * account's ID as its name and no other attribute; operators are users with name and address, in the group `operators`. A password is
 * normalized before it is set (`lambdas/platform/aws/password-spelling.ts`).
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminInitiateAuth.html
 */
export function createDeveloperDirectory(
  client: CognitoIdentityProviderClient,
  pool: { readonly userPoolId: string; readonly clientId: string },
): Directory {
  const { userPoolId: UserPoolId, clientId: ClientId } = pool;
  const secretOf = rememberedSecret(client, UserPoolId, ClientId);
  const signIn = async (name: string, password: string): Promise<DirectorySignIn> => {
    try {
      const SECRET_HASH = secretHash(await secretOf(), name, ClientId);
      const AuthParameters = { USERNAME: name, PASSWORD: password, SECRET_HASH };
      const AuthFlow = 'ADMIN_USER_PASSWORD_AUTH';
      const { AuthenticationResult } = await client.send(
        new AdminInitiateAuthCommand({ UserPoolId, ClientId, AuthFlow, AuthParameters }),
        soon(),
      );
      const token = AuthenticationResult?.IdToken;
      return token === undefined ? { kind: 'refused' } : { kind: 'signed_in', user: userOf(token) };
    } catch (error) {
      return { kind: meaningOf(error) };
    }
  };
  return {
    async create(accountId, password) {
      const user = { UserPoolId, Username: accountId };
      const create = new AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' });
      // IDs are random, so an existing user was made by an earlier attempt of this sign-up whose answer was lost.
      await unlessNamed(['UsernameExistsException'], () => client.send(create, soon()));
      return await setPassword(client, user, password);
    },
    async signIn(name, typed) {
      // Cognito answers a name of any other form with a validation error; no user can have such a name.
      if (!/^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u.test(name)) return { kind: 'refused' };
      return await tryPassword(typed, async (password) => await signIn(name, password));
    },
    setPassword: async (accountId, password) =>
      await setPassword(client, { UserPoolId, Username: accountId }, password),
    async disable(accountId) {
      const disable = new AdminDisableUserCommand({ UserPoolId, Username: accountId });
      await unlessNamed(['UserNotFoundException'], () => client.send(disable, soon()));
    },
    async remove(accountId) {
      const remove = new AdminDeleteUserCommand({ UserPoolId, Username: accountId });
      await unlessNamed(['UserNotFoundException'], () => client.send(remove, soon()));
    },
    async describe(name) {
      const command = new AdminGetUserCommand({ UserPoolId, Username: name });
      const { UserAttributes = [] } = await available(() => client.send(command, soon()));
      const known = new Map(UserAttributes.map(({ Name, Value }) => [Name, Value]));
      const email = known.get('email');
      if (email === undefined) return undefined;
      const [firstName, lastName] = [known.get('given_name') ?? 'Operator', known.get('family_name') ?? name];
      return { firstName, lastName, email };
    },
  };
}

/** Reads the user from an ID token. The token came from Cognito over TLS and is not passed on, so its signature is not verified. */
function userOf(idToken: string): DirectoryUser {
  const claims = decodeJwt(idToken);
  const name = claims['cognito:username'];
  const groups = claims['cognito:groups'];
  if (typeof name !== 'string') throw new Error('Cognito returned an id_token without a user name');
  return { accountId: name, operator: Array.isArray(groups) && groups.includes(operatorGroup) };
}

async function setPassword(
  client: CognitoIdentityProviderClient,
  user: { readonly UserPoolId: string; readonly Username: string },
  typed: string,
): Promise<boolean> {
  const Password = normalizedPassword(typed);
  const command = new AdminSetUserPasswordCommand({ ...user, Password, Permanent: true });
  return await unlessNamed(['InvalidPasswordException'], () => client.send(command, soon()));
}

function soon() {
  return { abortSignal: AbortSignal.timeout(attemptTimeoutMs) };
}

/**
 * Calls Cognito.
 *
 * @returns false if Cognito refused the call with one of these exception names.
 */
async function unlessNamed(names: readonly string[], call: () => Promise<unknown>): Promise<boolean> {
  try {
    await available(call);
    return true;
  } catch (error) {
    if (error instanceof Error && names.includes(error.name)) return false;
    throw error;
  }
}
