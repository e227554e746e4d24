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
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemberAccounts } from '../../lambdas/identity/member-accounts.ts';

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
  it('is made silently, with verified addresses and a permanent password', async () => {
    cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [sub] } });
    expect(await accounts.ensure({ ...account, password })).toEqual({ ok: true, sub: 'sub-1' });
    expect(cognito.commandCalls(AdminCreateUserCommand)[0]?.args[0].input).toEqual({
      ...user,
      UserAttributes: attributes,
      MessageAction: 'SUPPRESS',
    });
    expect(cognito.commandCalls(AdminSetUserPasswordCommand)[0]?.args[0].input).toEqual({
      ...user,
      Password: password,
      Permanent: true,
    });
  });

  it("keeps a real member's password: none is set where none is given", async () => {
    cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [sub] } });
    await accounts.ensure(account);
    expect(cognito.commandCalls(AdminSetUserPasswordCommand)).toHaveLength(0);
  });

  it('is completed where an earlier attempt ended after making it', async () => {
    cognito.on(AdminCreateUserCommand).rejects(new UsernameExistsException(about));
    cognito.on(AdminGetUserCommand).resolves({ ...user, UserAttributes: [sub, ...attributes] });
    expect(await accounts.ensure({ ...account, password })).toEqual({ ok: true, sub: 'sub-1' });
    expect(cognito.commandCalls(AdminUpdateUserAttributesCommand)).toHaveLength(0);
    expect(cognito.commandCalls(AdminSetUserPasswordCommand)).toHaveLength(1);
  });

  it('follows a changed address', async () => {
    cognito.on(AdminCreateUserCommand).rejects(new UsernameExistsException(about));
    cognito.on(AdminGetUserCommand).resolves({
      ...user,
      UserAttributes: [sub, { Name: 'email', Value: 'old@example.com' }],
    });
    cognito.on(AdminUpdateUserAttributesCommand).resolves({});
    expect(await accounts.ensure(account)).toEqual({ ok: true, sub: 'sub-1' });
    expect(cognito.commandCalls(AdminUpdateUserAttributesCommand)[0]?.args[0].input).toEqual({
      ...user,
      UserAttributes: attributes,
    });
  });

  it("is refused another member's e-mail address, however Cognito says so", async () => {
    const taken = { ok: false, reason: 'email_taken' };
    cognito.on(AdminCreateUserCommand).rejects(new AliasExistsException(about));
    expect(await accounts.ensure(account)).toEqual(taken);
    cognito.on(AdminCreateUserCommand).rejects(new UsernameExistsException(about));
    cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException(about));
    expect(await accounts.ensure(account)).toEqual(taken);
  });

  it('is refused a password the policy refuses', async () => {
    cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [sub] } });
    cognito.on(AdminSetUserPasswordCommand).rejects(new InvalidPasswordException(about));
    expect(await accounts.ensure({ ...account, password })).toEqual({
      ok: false,
      reason: 'password_refused',
    });
  });

  it('does not hide any other error', async () => {
    cognito.on(AdminCreateUserCommand).rejects(new TooManyRequestsException(about));
    await expect(accounts.ensure(account)).rejects.toThrow(TooManyRequestsException);
  });
});
