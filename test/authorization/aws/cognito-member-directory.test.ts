import { createHmac } from 'node:crypto';
import {
  AdminInitiateAuthCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCognitoMemberDirectory } from '../../../lambdas/authorization/aws/cognito-member-directory.ts';
import { mockClient } from '../../support/client-doubles.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const pool = { userPoolId: 'us-east-1_members', clientId: 'poolclient' };

function directory() {
  return createCognitoMemberDirectory(new CognitoIdentityProviderClient({ region: 'us-east-1' }), pool);
}

function failure(name: string, httpStatusCode = 400): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
}

beforeEach(() => {
  cognito.reset();
  cognito.on(DescribeUserPoolClientCommand).resolves({ UserPoolClient: { ClientSecret: 'secret' } });
  const IdToken = new UnsecuredJWT({ sub: 'sub-1' }).encode();
  cognito.on(AdminInitiateAuthCommand).resolves({ AuthenticationResult: { IdToken } });
});

describe('the member directory on Cognito', () => {
  it('knows the member of the right password by the subject', async () => {
    expect(await directory().signIn('DSNP0001', 'password')).toEqual({ kind: 'verified', sub: 'sub-1' });
  });

  it('proves itself by the secret hash, with a secret read once', async () => {
    const members = directory();
    await members.signIn('DSNP0001', 'password');
    await members.signIn('DSNP0002', 'password');
    expect(cognito.commandCalls(DescribeUserPoolClientCommand)).toHaveLength(1);
    const hash = createHmac('sha256', 'secret').update('DSNP0002poolclient').digest('base64');
    expect(cognito.commandCalls(AdminInitiateAuthCommand)[1]?.args[0].input).toMatchObject({
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      UserPoolId: pool.userPoolId,
      ClientId: pool.clientId,
      AuthParameters: { USERNAME: 'DSNP0002', PASSWORD: 'password', SECRET_HASH: hash },
    });
  });

  it.each([
    'NotAuthorizedException',
    'UserNotFoundException',
    'UserNotConfirmedException',
    'PasswordResetRequiredException',
  ])('refuses alike on %s', async (name) => {
    cognito.on(AdminInitiateAuthCommand).rejects(failure(name));
    expect(await directory().signIn('DSNP0001', 'password')).toEqual({ kind: 'refused' });
  });

  it('refuses a member who has still to set a password', async () => {
    cognito.on(AdminInitiateAuthCommand).resolves({ ChallengeName: 'NEW_PASSWORD_REQUIRED' });
    expect(await directory().signIn('DSNP0001', 'password')).toEqual({ kind: 'refused' });
  });

  it.each<[string, number]>([
    ['TooManyRequestsException', 400],
    ['InternalErrorException', 500],
    ['ServiceUnavailable', 503],
    ['TimeoutError', 0],
  ])('is unavailable on %s', async (name, status) => {
    cognito.on(AdminInitiateAuthCommand).rejects(failure(name, status));
    expect(await directory().signIn('DSNP0001', 'password')).toEqual({ kind: 'unavailable' });
  });

  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
  ])('is unavailable where the connection fails: %s', async (code) => {
    cognito.on(AdminInitiateAuthCommand).rejects(Object.assign(new Error(code), { code }));
    expect(await directory().signIn('DSNP0001', 'password')).toEqual({ kind: 'unavailable' });
    cognito.on(DescribeUserPoolClientCommand).rejects(Object.assign(new Error(code), { code }));
    expect(await directory().signIn('DSNP0001', 'password')).toEqual({ kind: 'unavailable' });
  });

  it('throws what is our own mistake, and asks for the secret again', async () => {
    cognito
      .on(DescribeUserPoolClientCommand)
      .rejectsOnce(failure('AccessDeniedException'))
      .resolves({
        UserPoolClient: { ClientSecret: 'secret' },
      });
    const members = directory();
    await expect(members.signIn('DSNP0001', 'password')).rejects.toThrow('AccessDeniedException');
    expect(await members.signIn('DSNP0001', 'password')).toEqual({ kind: 'verified', sub: 'sub-1' });
  });
});
