/** Cognito accounts of members, which `ingest` creates and changes. Sign-in reads them through `cognito-member-directory.ts`. */

import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  type AdminGetUserCommandOutput,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  type AttributeType,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { normalizedPassword } from '../../platform/aws/password-spelling.ts';
import type {
  AccountCreated,
  AccountRefusal,
  MemberAccount,
  MemberAccounts,
} from '../ingest/ingest-ports.ts';

/**
 * Members' accounts in the environment's user pool. The user name is the member ID, the e-mail address an alias. Addresses come from the
 * plan, so they are set as verified and no message is sent to them.
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html
 */
export function createMemberAccounts(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
): MemberAccounts {
  return {
    async create(account) {
      const password = account.password === undefined ? undefined : normalizedPassword(account.password);
      const created = await createUser(client, userOf(account), account, password);
      if (created.kind === 'created' && password !== undefined) {
        await setPassword(client, userOf(account), password);
      }
      return created;
    },
    async find(account) {
      const user = await knownUser(client, userOf(account));
      if (user === undefined) return undefined;
      const known = new Map(user.UserAttributes?.map(({ Name, Value }) => [Name, Value]));
      const holds = attributes(account).every(({ Name, Value }) => known.get(Name) === Value);
      const waits = awaitsPassword(user) && account.password !== undefined;
      return { sub: subject(user.UserAttributes), complete: holds && !waits };
    },
    async update(account) {
      const UserAttributes = attributes(account);
      try {
        await client.send(new AdminUpdateUserAttributesCommand({ ...userOf(account), UserAttributes }));
        return { kind: 'updated' };
      } catch (error) {
        return refusalOf(error, { ...refusals, UserNotFoundException: { kind: 'unknown' } });
      }
    },
    async setFirstPassword(account) {
      if (account.password === undefined) return;
      const user = await knownUser(client, userOf(account));
      if (user === undefined || !awaitsPassword(user)) return;
      await setPassword(client, userOf(account), normalizedPassword(account.password));
    },
  };

  function userOf({ memberId }: MemberAccount): UserName {
    return { UserPoolId: userPoolId, Username: memberId };
  }
}

const refusals: Readonly<Record<string, AccountRefusal>> = {
  AliasExistsException: { kind: 'refusal', refusal: 'email_taken' },
  InvalidPasswordException: { kind: 'refusal', refusal: 'password_refused' },
};

/**
 * Maps an error of Cognito to its meaning.
 *
 * @throws any other error unchanged.
 */
function refusalOf<Meaning>(error: unknown, meanings: Readonly<Record<string, Meaning>>): Meaning {
  const meaning = meanings[error instanceof Error ? error.name : ''];
  if (meaning === undefined) throw error;
  return meaning;
}

interface UserName {
  readonly UserPoolId: string;
  readonly Username: string;
}

/** Creates the user with a temporary password, so that the pool refuses an unsuitable one before the user exists. */
async function createUser(
  client: CognitoIdentityProviderClient,
  user: UserName,
  account: MemberAccount,
  password: string | undefined,
): Promise<AccountCreated> {
  const command = new AdminCreateUserCommand({
    ...user,
    UserAttributes: attributes(account),
    MessageAction: 'SUPPRESS',
    ...(password !== undefined && { TemporaryPassword: password }),
  });
  try {
    return { kind: 'created', sub: subject((await client.send(command)).User?.Attributes) };
  } catch (error) {
    return refusalOf(error, { ...refusals, UsernameExistsException: { kind: 'exists' } });
  }
}

async function knownUser(
  client: CognitoIdentityProviderClient,
  user: UserName,
): Promise<AdminGetUserCommandOutput | undefined> {
  try {
    return await client.send(new AdminGetUserCommand(user));
  } catch (error) {
    if (error instanceof Error && error.name === 'UserNotFoundException') return undefined;
    throw error;
  }
}

/** Whether the user has never set a password of their own. */
function awaitsPassword({ UserStatus }: Pick<AdminGetUserCommandOutput, 'UserStatus'>): boolean {
  return UserStatus === 'FORCE_CHANGE_PASSWORD';
}

async function setPassword(
  client: CognitoIdentityProviderClient,
  user: UserName,
  Password: string,
): Promise<void> {
  await client.send(new AdminSetUserPasswordCommand({ ...user, Password, Permanent: true }));
}

/** The pool is case-sensitive; the sign-in page asks for addresses in lowercase. */
function attributes({ email, phoneNumber, givenName, familyName }: MemberAccount): AttributeType[] {
  return [
    { Name: 'email', Value: email.toLowerCase() },
    { Name: 'email_verified', Value: 'true' },
    { Name: 'phone_number', Value: phoneNumber },
    { Name: 'phone_number_verified', Value: 'true' },
    { Name: 'given_name', Value: givenName },
    { Name: 'family_name', Value: familyName },
  ];
}

function subject(known: readonly AttributeType[] | undefined): string {
  const sub = known?.find(({ Name }) => Name === 'sub')?.Value;
  if (sub === undefined) throw new Error('Cognito returned a user without a subject');
  return sub;
}
