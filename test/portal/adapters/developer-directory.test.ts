import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { createDeveloperDirectory } from '../../../lambdas/portal/adapters/developer-directory.ts';
import { mockClient } from '../../support/client-doubles.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const directory = createDeveloperDirectory(new CognitoIdentityProviderClient({ region: 'us-east-1' }), {
  userPoolId: 'pool',
  clientId: 'client',
});
const named = (name: string, httpStatusCode = 400) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
const token = (claims: Record<string, unknown>) => ({
  AuthenticationResult: { IdToken: new UnsecuredJWT(claims).encode() },
});

beforeEach(() => {
  cognito.reset();
  cognito.on(DescribeUserPoolClientCommand).resolves({ UserPoolClient: { ClientSecret: 'secret' } });
});

describe('making a user', () => {
  it('gives it the password for good and sends nothing', async () => {
    cognito.on(AdminCreateUserCommand).resolves({});
    cognito.on(AdminSetUserPasswordCommand).resolves({});
    expect(await directory.create('a1', 'the password')).toBe(true);
    expect(cognito.commandCalls(AdminCreateUserCommand)[0]?.args[0].input).toEqual({
      UserPoolId: 'pool',
      Username: 'a1',
      MessageAction: 'SUPPRESS',
    });
    expect(cognito.commandCalls(AdminSetUserPasswordCommand)[0]?.args[0].input).toMatchObject({
      Username: 'a1',
      Permanent: true,
    });
  });

  it('goes on where a lost answer left the user', async () => {
    cognito.on(AdminCreateUserCommand).rejects(named('UsernameExistsException'));
    cognito.on(AdminSetUserPasswordCommand).resolves({});
    expect(await directory.create('a1', 'the password')).toBe(true);
  });

  it('says where the pool refuses the password', async () => {
    cognito.on(AdminCreateUserCommand).resolves({});
    cognito.on(AdminSetUserPasswordCommand).rejects(named('InvalidPasswordException'));
    expect(await directory.create('a1', 'short')).toBe(false);
  });

  it.each([
    ['TooManyRequestsException', 400],
    ['TimeoutError', 0],
    ['InternalErrorException', 500],
  ])('is unavailable at %s: nothing was decided', async (name, status) => {
    cognito.on(AdminCreateUserCommand).rejects(named(name, status));
    await expect(directory.create('a1', 'the password')).rejects.toThrow(StoreUnavailable);
  });

  it('is unavailable where the connection fails', async () => {
    const code = 'ECONNREFUSED';
    cognito.on(AdminCreateUserCommand).rejects(Object.assign(new Error(code), { code }));
    await expect(directory.create('a1', 'the password')).rejects.toThrow(StoreUnavailable);
  });

  it('is a defect where a right is missing', async () => {
    cognito.on(AdminCreateUserCommand).rejects(named('AccessDeniedException'));
    await expect(directory.create('a1', 'the password')).rejects.toThrow('AccessDeniedException');
  });
});

describe('signing in', () => {
  it('tells the user name and whether the token names the group', async () => {
    cognito.on(AdminInitiateAuthCommand).resolves(token({ 'cognito:username': 'a1' }));
    expect(await directory.signIn('a1', 'right')).toEqual({
      kind: 'signed_in',
      user: { accountId: 'a1', operator: false },
    });
    cognito
      .on(AdminInitiateAuthCommand)
      .resolves(token({ 'cognito:username': 'o1', 'cognito:groups': ['operators'] }));
    expect(await directory.signIn('o1', 'right')).toEqual({
      kind: 'signed_in',
      user: { accountId: 'o1', operator: true },
    });
    cognito
      .on(AdminInitiateAuthCommand)
      .resolves(token({ 'cognito:username': 'a1', 'cognito:groups': ['operators-of-tea'] }));
    expect(await directory.signIn('a1', 'right')).toMatchObject({ user: { operator: false } });
  });

  it.each([
    'NotAuthorizedException',
    'UserNotFoundException',
    'PasswordResetRequiredException',
  ])('refuses alike at %s', async (name) => {
    cognito.on(AdminInitiateAuthCommand).rejects(named(name));
    expect(await directory.signIn('a1', 'wrong')).toEqual({ kind: 'refused' });
  });

  it('refuses a challenge: no session begins with a temporary password', async () => {
    cognito.on(AdminInitiateAuthCommand).resolves({ ChallengeName: 'NEW_PASSWORD_REQUIRED' });
    expect(await directory.signIn('a1', 'temporary')).toEqual({ kind: 'refused' });
  });

  it('asks nothing for what no user name can be', async () => {
    expect(await directory.signIn('two words', 'x')).toEqual({ kind: 'refused' });
    expect(await directory.signIn('x'.repeat(129), 'x')).toEqual({ kind: 'refused' });
    expect(cognito.commandCalls(AdminInitiateAuthCommand)).toHaveLength(0);
  });

  it('is unavailable where Cognito does not answer', async () => {
    cognito.on(AdminInitiateAuthCommand).rejects(named('TooManyRequestsException'));
    expect(await directory.signIn('a1', 'right')).toEqual({ kind: 'unavailable' });
  });
});

describe('an operator', () => {
  it('is described by the pool’s attributes, and without an address is nobody', async () => {
    const UserAttributes = [
      { Name: 'email', Value: 'olga@plan.example' },
      { Name: 'given_name', Value: 'Olga' },
      { Name: 'family_name', Value: 'Op' },
    ];
    cognito.on(AdminGetUserCommand).resolves({ UserAttributes });
    expect(await directory.describe('o1')).toEqual({
      firstName: 'Olga',
      lastName: 'Op',
      email: 'olga@plan.example',
    });
    cognito.on(AdminGetUserCommand).resolves({ UserAttributes: [] });
    expect(await directory.describe('o1')).toBeUndefined();
  });
});

describe('removing', () => {
  it('removes the one user, and is done where it is gone already', async () => {
    cognito.on(AdminDeleteUserCommand).resolvesOnce({}).rejects(named('UserNotFoundException'));
    await directory.remove('a1');
    expect(cognito.commandCalls(AdminDeleteUserCommand)[0]?.args[0].input.Username).toBe('a1');
    await expect(directory.remove('a1')).resolves.toBeUndefined();
  });
});

describe('disabling', () => {
  it('is done where the user is gone already', async () => {
    cognito.on(AdminDisableUserCommand).rejects(named('UserNotFoundException'));
    await expect(directory.disable('a1')).resolves.toBeUndefined();
  });
});
