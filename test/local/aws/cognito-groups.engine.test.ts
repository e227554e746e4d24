import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminInitiateAuthCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  ListUsersInGroupCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, allow, assembly, region, resource, role } from './declarations.ts';
import { type Started, started } from './started.ts';

const UserPoolId = 'us-east-1_developers';
const poolArn = `arn:aws:cognito-idp:${region}:${account}:userpool/${UserPoolId}`;
const ClientId = 'portal';
const Password = 'A long enough passphrase 1!';

const group = (name: string, properties: object = {}) =>
  resource('AWS::Cognito::UserPoolGroup', name, { UserPoolId, ...properties }, { physicalId: name });

describe('groups of a user pool', () => {
  let endpoint: Started;
  let cognito: CognitoIdentityProviderClient;
  let clock = Date.now();
  let count = 0;

  beforeAll(async () => {
    endpoint = await started({
      assembly: assembly(
        role(allow('cognito-idp:AdminListGroupsForUser', poolArn)),
        resource('AWS::Cognito::UserPool', 'Pool', {}, { physicalId: UserPoolId, arn: poolArn }),
        resource(
          'AWS::Cognito::UserPoolClient',
          'Client',
          { UserPoolId, ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'] },
          { physicalId: ClientId },
        ),
        group('reviewers', { Description: 'look at applications', Precedence: 2 }),
        group('administrators', { Precedence: 1 }),
        group('readers'),
      ),
      now: () => clock,
    });
    cognito = new CognitoIdentityProviderClient(endpoint.asOperator);
  });
  afterAll(() => endpoint.stopAndForget());

  async function developer(): Promise<string> {
    clock += 60_000;
    count += 1;
    const Username = `developer-${count}`;
    await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username, MessageAction: 'SUPPRESS' }));
    return Username;
  }
  const join = async (Username: string, GroupName: string) =>
    await cognito.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName }));
  const groupsOf = async (Username: string, options: object = {}) =>
    await cognito.send(new AdminListGroupsForUserCommand({ UserPoolId, Username, ...options }));
  const membersOf = async (GroupName: string, options: object = {}) =>
    await cognito.send(new ListUsersInGroupCommand({ UserPoolId, GroupName, ...options }));

  it('lists the groups a user was put into, the first by precedence first', async () => {
    const Username = await developer();
    expect((await groupsOf(Username)).Groups).toEqual([]);
    for (const name of ['readers', 'reviewers', 'administrators', 'reviewers']) await join(Username, name);
    expect((await groupsOf(Username)).Groups).toEqual([
      { GroupName: 'administrators', UserPoolId, Precedence: 1 },
      { GroupName: 'reviewers', UserPoolId, Precedence: 2, Description: 'look at applications' },
      { GroupName: 'readers', UserPoolId },
    ]);
    const first = await groupsOf(Username, { Limit: 2 });
    expect(first.Groups).toHaveLength(2);
    const rest = await groupsOf(Username, { Limit: 2, NextToken: first.NextToken });
    expect([rest.Groups?.map(({ GroupName }) => GroupName), rest.NextToken]).toEqual([
      ['readers'],
      undefined,
    ]);
  });

  it('takes a user out again', async () => {
    const Username = await developer();
    await join(Username, 'reviewers');
    const leave = { UserPoolId, Username, GroupName: 'reviewers' };
    await cognito.send(new AdminRemoveUserFromGroupCommand(leave));
    await cognito.send(new AdminRemoveUserFromGroupCommand(leave));
    expect((await groupsOf(Username)).Groups).toEqual([]);
  });

  it('lists the users of a group, without those that were deleted', async () => {
    const before = (await membersOf('administrators')).Users?.length ?? 0;
    const names = [await developer(), await developer(), await developer()];
    for (const name of names) await join(name, 'administrators');
    const all = (await membersOf('administrators')).Users?.slice(before);
    expect(all?.map(({ Username }) => Username)).toEqual(names);
    expect(all?.[0]).toMatchObject({ Enabled: true, Attributes: [{ Name: 'sub' }] });
    await cognito.send(new AdminDeleteUserCommand({ UserPoolId, Username: names[0] }));
    const first = await membersOf('administrators', { Limit: before + 1 });
    const rest = await membersOf('administrators', { NextToken: first.NextToken });
    expect(
      [...(first.Users ?? []), ...(rest.Users ?? [])].slice(before).map(({ Username }) => Username),
    ).toEqual(names.slice(1));
  });

  it('is part of the tokens', async () => {
    const Username = await developer();
    await cognito.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true }));
    await join(Username, 'reviewers');
    const { AuthenticationResult } = await cognito.send(
      new AdminInitiateAuthCommand({
        UserPoolId,
        ClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: Username, PASSWORD: Password },
      }),
    );
    const claims = (AuthenticationResult?.IdToken ?? '').split('.')[1] ?? '';
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      'cognito:groups': ['reviewers'],
    });
  });

  it('refuses an unknown group, an unknown user, a wrong page and a caller without the right', async () => {
    const Username = await developer();
    await expect(join(Username, 'nobody')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(join('nobody', 'readers')).rejects.toMatchObject({ name: 'UserNotFoundException' });
    await expect(groupsOf(Username, { NextToken: 'x' })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
    await expect(groupsOf(Username, { Limit: 61 })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
    const reader = new CognitoIdentityProviderClient(endpoint.asFunction);
    await reader.send(new AdminListGroupsForUserCommand({ UserPoolId, Username }));
    await expect(
      reader.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName: 'administrators' })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});
