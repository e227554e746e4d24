import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  AliasExistsException,
  CognitoIdentityProviderClient,
  InvalidPasswordException,
  TooManyRequestsException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemberAccounts } from '../../../lambdas/loads/aws/member-accounts.ts';
import { mockClient } from '../../support/client-doubles.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const accounts = createMemberAccounts(new CognitoIdentityProviderClient({ region: 'us-east-1' }), 'pool-1');
const about = { message: 'as Cognito words it', $metadata: {} };
const user = { UserPoolId: 'pool-1', Username: 'DSNP12345678' };
const attributes = [
  { Name: 'email', Value: 'ada@example.com' },
  { Name: 'email_verified', Value: 'true' },
  { Name: 'phone_number', Value: '+12025550123' },
  { Name: 'phone_number_verified', Value: 'true' },
  { Name: 'given_name', Value: 'Ada' },
  { Name: 'family_name', Value: 'Sampleton' },
];
const sub = { Name: 'sub', Value: 'sub-1' };
const account = {
  memberId: 'DSNP12345678',
  email: 'ada@example.com',
  phoneNumber: '+12025550123',
  givenName: 'Ada',
  familyName: 'Sampleton',
};
const password = 'Willow-ribbon-pocket-6714';

beforeEach(() => {
  cognito.reset();
  cognito.on(AdminSetUserPasswordCommand).resolves({});
});

describe("a member's account", () => {
  it('is made silently, with verified addresses and a password the pool judges before there is a user', async () => {
    cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [sub] } });
    expect(await accounts.create({ ...account, password })).toEqual({ kind: 'created', sub: 'sub-1' });
    expect(cognito.commandCalls(AdminCreateUserCommand)[0]?.args[0].input).toEqual({
      ...user,
      UserAttributes: attributes,
      MessageAction: 'SUPPRESS',
      TemporaryPassword: password,
    });
    expect(cognito.commandCalls(AdminSetUserPasswordCommand)[0]?.args[0].input).toEqual({
      ...user,
      Password: password,
      Permanent: true,
    });
  });

  it("keeps a real member's password: none is set where none is given", async () => {
    cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [sub] } });
    await accounts.create(account);
    await accounts.setFirstPassword(account);
    expect(cognito.commandCalls(AdminSetUserPasswordCommand)).toHaveLength(0);
  });

  it.each([
    ['CONFIRMED', 0],
    ['RESET_REQUIRED', 0],
    ['FORCE_CHANGE_PASSWORD', 1],
  ] as const)('in state %s is given a first password %i times', async (UserStatus, times) => {
    cognito.on(AdminGetUserCommand).resolves({ ...user, UserStatus, UserAttributes: [sub, ...attributes] });
    expect(await accounts.find({ ...account, password })).toEqual({ sub: 'sub-1', complete: times === 0 });
    await accounts.setFirstPassword({ ...account, password });
    expect(cognito.commandCalls(AdminSetUserPasswordCommand)).toHaveLength(times);
  });

  it('is found with other values, or not at all', async () => {
    const old = { Name: 'email', Value: 'old@example.com' };
    cognito.on(AdminGetUserCommand).resolves({ ...user, UserAttributes: [sub, old] });
    expect(await accounts.find(account)).toEqual({ sub: 'sub-1', complete: false });
    cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException(about));
    expect(await accounts.find(account)).toBeUndefined();
  });

  it('follows a changed address, in lowercase', async () => {
    cognito.on(AdminUpdateUserAttributesCommand).resolves({});
    expect(await accounts.update({ ...account, email: 'Ada@Example.com' })).toEqual({ kind: 'updated' });
    expect(cognito.commandCalls(AdminUpdateUserAttributesCommand)[0]?.args[0].input).toEqual({
      ...user,
      UserAttributes: attributes,
    });
  });

  it.each([
    [new AliasExistsException(about), { kind: 'refusal', refusal: 'email_taken' }],
    [new UsernameExistsException(about), { kind: 'exists' }],
    [new InvalidPasswordException(about), { kind: 'refusal', refusal: 'password_refused' }],
  ])('is not made where Cognito says %s', async (error, result) => {
    cognito.on(AdminCreateUserCommand).rejects(error);
    expect(await accounts.create({ ...account, password })).toEqual(result);
    expect(cognito.calls()).toHaveLength(1);
  });

  it.each([
    [new AliasExistsException(about), { kind: 'refusal', refusal: 'email_taken' }],
    [new UserNotFoundException(about), { kind: 'unknown' }],
  ])('is not changed where Cognito says %s', async (error, result) => {
    cognito.on(AdminUpdateUserAttributesCommand).rejects(error);
    expect(await accounts.update(account)).toEqual(result);
  });

  it('does not hide any other error', async () => {
    const busy = new TooManyRequestsException(about);
    cognito.on(AdminCreateUserCommand).rejects(busy);
    cognito.on(AdminUpdateUserAttributesCommand).rejects(busy);
    cognito.on(AdminGetUserCommand).rejects(busy);
    for (const act of [accounts.create, accounts.update, accounts.find]) {
      await expect(act(account)).rejects.toThrow(TooManyRequestsException);
    }
  });
});
