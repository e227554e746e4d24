import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  type AttributeType,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { MemberAccount, MemberAccounts } from '../members/ingest.ts';
import { normalizedPassword } from './password-spelling.ts';

/**
 * Members' accounts in the environment's user pool: the user name is the member id, the e-mail address an alias.
 * The plan knows its members' addresses, so they are verified and nothing is sent to them.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html
 */
export function createMemberAccounts(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
): MemberAccounts {
  return {
    async ensure(account) {
      const user = { UserPoolId: userPoolId, Username: account.memberId };
      try {
        const sub = (await createUser(client, user, account)) ?? (await updateUser(client, user, account));
        if (account.password !== undefined) {
          const password = { Password: normalizedPassword(account.password), Permanent: true };
          await client.send(new AdminSetUserPasswordCommand({ ...user, ...password }));
        }
        return { ok: true, sub };
      } catch (error) {
        const reason = refusals[error instanceof Error ? error.name : ''];
        if (reason !== undefined) return { ok: false, reason };
        throw error;
      }
    },
  };
}

/**
 * What Cognito's errors mean here. `UserNotFoundException` only follows a `UsernameExistsException`: there is no such user
 * name, so what exists is the alias.
 */
const refusals: Readonly<Record<string, 'email_taken' | 'password_refused'>> = {
  AliasExistsException: 'email_taken',
  UserNotFoundException: 'email_taken',
  InvalidPasswordException: 'password_refused',
};

interface UserName {
  readonly UserPoolId: string;
  readonly Username: string;
}

/** The new user's subject; undefined when there is a user of this name. */
async function createUser(
  client: CognitoIdentityProviderClient,
  user: UserName,
  account: MemberAccount,
): Promise<string | undefined> {
  try {
    const command = new AdminCreateUserCommand({
      ...user,
      UserAttributes: attributes(account),
      MessageAction: 'SUPPRESS',
    });
    return subject((await client.send(command)).User?.Attributes);
  } catch (error) {
    if (error instanceof Error && error.name === 'UsernameExistsException') return undefined;
    throw error;
  }
}

async function updateUser(
  client: CognitoIdentityProviderClient,
  user: UserName,
  account: MemberAccount,
): Promise<string> {
  const present = await client.send(new AdminGetUserCommand(user));
  const known = new Map(present.UserAttributes?.map(({ Name, Value }) => [Name, Value]));
  const differ = attributes(account).some(({ Name, Value }) => known.get(Name) !== Value);
  if (differ) {
    const UserAttributes = attributes(account);
    await client.send(new AdminUpdateUserAttributesCommand({ ...user, UserAttributes }));
  }
  return subject(present.UserAttributes);
}

function attributes({ email, phoneNumber, givenName, familyName }: MemberAccount): AttributeType[] {
  return [
    { Name: 'email', Value: email },
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
