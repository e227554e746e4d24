import { createHmac } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  ListUsersCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { account, allow, assembly, region, resource, role } from './declarations.ts';
import { type Started, started } from './started.ts';

const UserPoolId = 'us-east-1_abcdefghi';
const poolArn = `arn:aws:cognito-idp:${region}:${account}:userpool/${UserPoolId}`;
const ClientId = 'clientwithsecret';
const password = 'a long enough passphrase';

const pool = (id: string, arn: string) =>
  resource(
    'AWS::Cognito::UserPool',
    id,
    { AliasAttributes: ['email'], Policies: { PasswordPolicy: { MinimumLength: 15 } } },
    { physicalId: id, arn },
  );
const client = (id: string, properties: object) =>
  resource('AWS::Cognito::UserPoolClient', id, { UserPoolId, ...properties }, { physicalId: id });
const flow = { ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'] };

describe('Cognito', () => {
  let endpoint: Started;
  let cognito: CognitoIdentityProviderClient;
  let secret = '';
  let clock = Date.now();
  let count = 0;
  let Username = '';
  let email = '';

  beforeAll(async () => {
    endpoint = await started({
      assembly: assembly(
        role(allow(['cognito-idp:AdminGetUser', 'cognito-idp:AdminInitiateAuth'], poolArn)),
        pool(UserPoolId, poolArn),
        pool('us-east-1_other', poolArn.replace('abcdefghi', 'other')),
        client(ClientId, { ...flow, GenerateSecret: true, PreventUserExistenceErrors: 'ENABLED' }),
        client('open', flow),
        client('closed', { ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'] }),
      ),
      now: () => clock,
    });
    cognito = new CognitoIdentityProviderClient(endpoint.asOperator);
    const described = await cognito.send(new DescribeUserPoolClientCommand({ UserPoolId, ClientId }));
    secret = described.UserPoolClient?.ClientSecret ?? '';
  });
  afterAll(() => endpoint.stopAndForget());
  beforeEach(() => {
    clock += 60_000;
    count += 1;
    Username = `member-${count}`;
    email = `member-${count}@example.org`;
  });

  const hash = (name: string, key = secret) =>
    createHmac('sha256', key)
      .update(name + ClientId)
      .digest('base64');
  const create = async (overrides: object = {}) =>
    await cognito.send(
      new AdminCreateUserCommand({
        UserPoolId,
        Username,
        MessageAction: 'SUPPRESS',
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
        ],
        ...overrides,
      }),
    );
  const setPassword = async (Password = password, Permanent = true) =>
    await cognito.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent }));
  const signIn = async (name = Username, PASSWORD = password, overrides: object = {}) =>
    await cognito.send(
      new AdminInitiateAuthCommand({
        UserPoolId,
        ClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: name, PASSWORD, SECRET_HASH: hash(name) },
        ...overrides,
      }),
    );
  const wrong = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };

  it('signs a member in by name and by verified address, and gives the subject', async () => {
    const created = await create();
    expect(created.User).toMatchObject({ Username, Enabled: true, UserStatus: 'FORCE_CHANGE_PASSWORD' });
    await setPassword();
    for (const name of [Username, email]) {
      const { AuthenticationResult } = await signIn(name);
      expect(AuthenticationResult).toMatchObject({ TokenType: 'Bearer', ExpiresIn: 3600 });
      const claims = JSON.parse(
        Buffer.from(AuthenticationResult?.IdToken?.split('.')[1] ?? '', 'base64url').toString(),
      );
      const { UserAttributes, UserStatus } = await cognito.send(
        new AdminGetUserCommand({ UserPoolId, Username: name }),
      );
      expect(UserAttributes).toContainEqual({ Name: 'sub', Value: claims.sub });
      expect(UserStatus).toBe('CONFIRMED');
    }
  });

  it('answers a wrong password, an unknown member and an unverified address alike', async () => {
    await create({ UserAttributes: [{ Name: 'email', Value: email }] });
    await setPassword();
    await expect(signIn(Username, 'another passphrase')).rejects.toMatchObject(wrong);
    await expect(signIn('nobody')).rejects.toMatchObject(wrong);
    await expect(signIn(email)).rejects.toMatchObject(wrong);
  });

  it('says that a member is unknown where the client does not hide it', async () => {
    const open = { ClientId: 'open', AuthParameters: { USERNAME: 'nobody', PASSWORD: password } };
    await expect(signIn('nobody', password, open)).rejects.toMatchObject({ name: 'UserNotFoundException' });
  });

  it('refuses a missing, a wrong and a needless secret hash', async () => {
    await create();
    await setPassword();
    const parameters = (SECRET_HASH?: string) => ({
      AuthParameters: {
        USERNAME: Username,
        PASSWORD: password,
        ...(SECRET_HASH === undefined ? {} : { SECRET_HASH }),
      },
    });
    const refused = { name: 'NotAuthorizedException', message: expect.stringMatching(/secret/i) };
    await expect(signIn(Username, password, parameters())).rejects.toMatchObject(refused);
    await expect(signIn(Username, password, parameters(hash(Username, 'guess')))).rejects.toMatchObject(
      refused,
    );
    await expect(signIn(Username, password, { ClientId: 'open' })).rejects.toMatchObject(refused);
    await expect(signIn(Username, password, { ClientId: 'open', ...parameters() })).resolves.toHaveProperty(
      'AuthenticationResult',
    );
  });

  it('refuses a flow the client does not allow', async () => {
    await create();
    await expect(signIn(Username, password, { ClientId: 'closed' })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
    await expect(
      signIn(Username, password, { AuthFlow: 'ADMIN_USER_SRP_AUTH' as 'USER_AUTH' }),
    ).rejects.toThrow();
  });

  it('does not sign a disabled member in, until enabled again', async () => {
    await create();
    await setPassword();
    await cognito.send(new AdminDisableUserCommand({ UserPoolId, Username }));
    await expect(signIn()).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'User is disabled.',
    });
    await cognito.send(new AdminEnableUserCommand({ UserPoolId, Username }));
    await expect(signIn()).resolves.toHaveProperty('AuthenticationResult');
  });

  it('locks after five wrong passwords for a second, then for two, and forgets them at a good one', async () => {
    await create();
    await setPassword();
    const locked = { name: 'NotAuthorizedException', message: 'Password attempts exceeded' };
    for (let attempt = 0; attempt < 5; attempt += 1)
      await expect(signIn(Username, 'wrong')).rejects.toMatchObject(wrong);
    await expect(signIn()).rejects.toMatchObject(locked);
    clock += 1_001;
    await expect(signIn(Username, 'wrong')).rejects.toMatchObject(wrong);
    clock += 1_001;
    await expect(signIn()).rejects.toMatchObject(locked);
    clock += 1_000;
    await signIn();
    await expect(signIn(Username, 'wrong')).rejects.toMatchObject(wrong);
    await signIn();
  });

  it('lets only five of many simultaneous guesses be tried', async () => {
    await create();
    await setPassword();
    const guesses = Array.from(
      { length: 20 },
      async () => await signIn(Username, 'wrong').catch((error: Error) => error.message),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer === wrong.message)).toHaveLength(5);
  });

  it("holds passwords to the pool's policy", async () => {
    await create();
    const refused = { name: 'InvalidPasswordException' };
    await expect(setPassword('a'.repeat(14))).rejects.toMatchObject(refused);
    await expect(setPassword('a'.repeat(257))).rejects.toMatchObject(refused);
    await expect(create({ Username: 'other', TemporaryPassword: 'short' })).rejects.toMatchObject(refused);
    await setPassword('a'.repeat(15));
  });

  it('asks for a new password in place of a temporary one', async () => {
    await create({ TemporaryPassword: password });
    const { ChallengeName, AuthenticationResult } = await signIn();
    expect([ChallengeName, AuthenticationResult]).toEqual(['NEW_PASSWORD_REQUIRED', undefined]);
  });

  it('keeps names and addresses single', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ name: 'UsernameExistsException' });
    await expect(create({ Username: 'twin' })).rejects.toMatchObject({ name: 'AliasExistsException' });
    await expect(
      cognito.send(new AdminGetUserCommand({ UserPoolId, Username: 'twin' })),
    ).rejects.toMatchObject({ name: 'UserNotFoundException' });
    await expect(create({ Username: 'a@example.org' })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
  });

  it('takes an address as unverified when it changes', async () => {
    await create();
    await setPassword();
    const change = async (...UserAttributes: { Name: string; Value: string }[]) =>
      await cognito.send(new AdminUpdateUserAttributesCommand({ UserPoolId, Username, UserAttributes }));
    await change({ Name: 'email', Value: `new-${email}` });
    await expect(signIn(`new-${email}`)).rejects.toMatchObject(wrong);
    await change({ Name: 'email_verified', Value: 'true' });
    await signIn(`new-${email}`);
    await expect(signIn(email)).rejects.toMatchObject(wrong);
  });

  it('refuses attributes the pool does not have, and malformed ones', async () => {
    const wrongs = [
      { Name: 'shoe_size', Value: '9' },
      { Name: 'sub', Value: 'mine' },
      { Name: 'email', Value: 'nowhere' },
      { Name: 'phone_number', Value: '202-555-0123' },
      { Name: 'name', Value: 'a'.repeat(2_049) },
    ];
    for (const attribute of wrongs) {
      await expect(create({ UserAttributes: [attribute] })).rejects.toMatchObject({
        name: 'InvalidParameterException',
      });
    }
  });

  it('lists members by a filter, and forgets the deleted', async () => {
    await create();
    const list = async (Filter: string) =>
      (await cognito.send(new ListUsersCommand({ UserPoolId, Filter }))).Users?.map((one) => one.Username);
    expect(await list(`email = "${email}"`)).toEqual([Username]);
    expect(await list(`"username" ^= "${Username}"`)).toEqual([Username]);
    const [found] =
      (await cognito.send(new ListUsersCommand({ UserPoolId, AttributesToGet: ['sub'] }))).Users ?? [];
    expect(found?.Attributes?.map(({ Name }) => Name)).toEqual(['sub']);
    await expect(list('shoe_size = "9"')).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await cognito.send(new AdminDeleteUserCommand({ UserPoolId, Username }));
    expect(await list(`email = "${email}"`)).toEqual([]);
  });

  it('refuses for load beyond the rate of the service', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 31 }, async () => await cognito.send(new ListUsersCommand({ UserPoolId }))),
    );
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ name: 'TooManyRequestsException' }) },
    ]);
  });

  it('refuses what the role may not, what does not exist, and what is not made', async () => {
    const reader = new CognitoIdentityProviderClient(endpoint.asFunction);
    await create();
    await reader.send(new AdminGetUserCommand({ UserPoolId, Username }));
    await expect(reader.send(new AdminDisableUserCommand({ UserPoolId, Username }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    await expect(
      reader.send(new AdminGetUserCommand({ UserPoolId: 'us-east-1_other', Username })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(
      cognito.send(new AdminGetUserCommand({ UserPoolId: 'us-east-1_missing', Username })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(signIn(Username, password, { ClientId: 'missing' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await expect(
      cognito.send(new SignUpCommand({ ClientId, Username, Password: password })),
    ).rejects.toMatchObject({ name: 'UnknownOperationException' });
  });
});
