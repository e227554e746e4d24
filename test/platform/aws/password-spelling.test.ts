import {
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCognitoMemberDirectory } from '../../../lambdas/authorization/aws/cognito-member-directory.ts';
import { createMemberAccounts } from '../../../lambdas/loads/aws/member-accounts.ts';
import { createDeveloperDirectory } from '../../../lambdas/portal/adapters/developer-directory.ts';
import { mockClient } from '../../support/client-doubles.ts';

/** A password typed on keyboards that encode it differently, for a user pool that compares the characters it gets. */

const composed = 'Crème brûlée à la carte';
const decomposed = composed.normalize('NFD');
const fullWidth = composed.normalize('NFD').replace('C', 'Ｃ').replaceAll(' ', '\u00a0');
const spellings = [composed, decomposed, fullWidth];

const cognito = mockClient(CognitoIdentityProviderClient);
const client = new CognitoIdentityProviderClient({ region: 'us-east-1' });
const pool = { userPoolId: 'pool', clientId: 'client' };
const developers = createDeveloperDirectory(client, pool);
const members = createCognitoMemberDirectory(client, pool);
const accounts = createMemberAccounts(client, 'pool');

let kept: string | undefined;
/** Replaces the user pool, which compares passwords without normalizing them. */
beforeEach(() => {
  kept = undefined;
  cognito.reset();
  cognito.on(DescribeUserPoolClientCommand).resolves({ UserPoolClient: { ClientSecret: 'secret' } });
  const user = { Attributes: [{ Name: 'sub', Value: 'sub-1' }] };
  cognito.on(AdminCreateUserCommand).resolves({ User: user });
  cognito.on(AdminSetUserPasswordCommand).callsFake(({ Password }) => {
    kept = Password;
    return {};
  });
  cognito.on(AdminInitiateAuthCommand).callsFake(({ AuthParameters: { USERNAME, PASSWORD } }) => {
    if (USERNAME !== 'a1' || PASSWORD !== kept) {
      throw Object.assign(new Error('refused'), { name: 'NotAuthorizedException', $metadata: {} });
    }
    const IdToken = new UnsecuredJWT({ sub: 'sub-1', 'cognito:username': 'a1' }).encode();
    return { AuthenticationResult: { IdToken } };
  });
});

const tries = () => cognito.commandCalls(AdminInitiateAuthCommand).length;
const developer = { accountId: 'a1', operator: false };

describe('a password', () => {
  it.each(spellings)('set as %j signs a developer in by each spelling of it', async (set) => {
    for (const act of [developers.create, developers.setPassword]) {
      await act('a1', set);
      expect(kept).toBe(composed);
      for (const typed of spellings)
        expect(await developers.signIn('a1', typed)).toEqual({ kind: 'signed_in', user: developer });
    }
  });

  it.each(spellings)('set as %j signs a member in by each spelling of it', async (password) => {
    const about = { email: 'ada@example.com', phoneNumber: '+12025550123', givenName: 'A', familyName: 'S' };
    await accounts.create({ memberId: 'a1', ...about, password });
    for (const typed of spellings)
      expect(await members.signIn('a1', typed)).toEqual({ kind: 'verified', sub: 'sub-1' });
  });

  it('that was set before, as it was typed, is still taken as it was typed', async () => {
    kept = decomposed;
    expect(await developers.signIn('a1', decomposed)).toEqual({ kind: 'signed_in', user: developer });
    expect(await members.signIn('a1', decomposed)).toEqual({ kind: 'verified', sub: 'sub-1' });
    expect(await developers.signIn('a1', composed)).toEqual({ kind: 'refused' });
  });

  it('that is wrong is tried as often for a name nobody has', async () => {
    kept = composed;
    for (const [typed, times] of [
      ['something else', 1],
      [decomposed.replace('carte', 'mode'), 2],
    ] as const) {
      for (const name of ['a1', 'nobody']) {
        const before = tries();
        expect(await developers.signIn(name, typed)).toEqual({ kind: 'refused' });
        expect(await members.signIn(name, typed)).toEqual({ kind: 'refused' });
        expect(tries() - before).toBe(2 * times);
      }
    }
  });

  it('is not tried again where the pool could not be asked', async () => {
    cognito
      .on(AdminInitiateAuthCommand)
      .rejects(Object.assign(new Error('busy'), { name: 'TooManyRequestsException', $metadata: {} }));
    expect(await developers.signIn('a1', decomposed)).toEqual({ kind: 'unavailable' });
    expect(tries()).toBe(1);
  });
});
