import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  paginateListUsersInGroup,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import type { OperatorDirectory } from '../accounts/developer-directory-port.ts';
import { operatorGroup } from './developer-directory.ts';

/** Creates the adapter for operators: the portal's users who are in the group `operators`, which Cognito writes into their tokens. */
export function createOperatorDirectory(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
): OperatorDirectory {
  const group = { UserPoolId, GroupName: operatorGroup };
  return {
    async create(accountId, { firstName, lastName, email }, password) {
      const user = { UserPoolId, Username: accountId };
      const UserAttributes = [
        { Name: 'email', Value: email },
        { Name: 'given_name', Value: firstName },
        { Name: 'family_name', Value: lastName },
      ];
      await client.send(new AdminCreateUserCommand({ ...user, UserAttributes, MessageAction: 'SUPPRESS' }));
      try {
        await client.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }));
      } catch (error) {
        if (error instanceof Error && error.name === 'InvalidPasswordException') return false;
        throw error;
      }
      // Adds the user to the group last: without the group the user has no rights.
      await client.send(new AdminAddUserToGroupCommand({ ...group, Username: accountId }));
      return true;
    },
    async list() {
      const users: UserType[] = [];
      for await (const page of paginateListUsersInGroup({ client }, group)) users.push(...(page.Users ?? []));
      return users.map(personOf);
    },
    async remove(accountId) {
      const user = { UserPoolId, Username: accountId };
      try {
        await client.send(new AdminRemoveUserFromGroupCommand({ ...user, GroupName: operatorGroup }));
        await client.send(new AdminDisableUserCommand(user));
      } catch (error) {
        if (!(error instanceof Error && error.name === 'UserNotFoundException')) throw error;
      }
    },
  };
}

function personOf({ Username = '', Attributes = [] }: UserType) {
  const known = new Map(Attributes.map(({ Name, Value }) => [Name, Value]));
  const name = [known.get('given_name'), known.get('family_name')].filter((part) => part !== undefined);
  return { accountId: Username, name: name.join(' '), email: known.get('email') ?? '' };
}
