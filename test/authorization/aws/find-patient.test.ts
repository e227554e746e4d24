import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFindPatient } from '../../../lambdas/authorization/aws/find-patient.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { mockClient } from '../../support/client-doubles.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const patientOf = createFindPatient(
  new CognitoIdentityProviderClient({ region: 'us-east-1' }),
  'us-east-1_members',
  {
    find: async (lob, sub) =>
      lob === 'DSNP' && sub === 'sub-1'
        ? { patientId: 'patient-1', memberId: 'DSNP0001', displayName: 'Rosa Ejemplo' }
        : undefined,
  },
  async (lob, patientId) => lob === 'DSNP' && patientId === 'patient-1',
);
const account = (sub: string, changes: object = {}) => ({
  ...{ Enabled: true, UserStatus: 'CONFIRMED' as const, UserAttributes: [{ Name: 'sub', Value: sub }] },
  ...changes,
});

beforeEach(() => {
  cognito.reset();
});

describe('a member', () => {
  it('is found by the member id, by the name the account has', async () => {
    cognito.on(AdminGetUserCommand).resolves(account('sub-1'));
    expect(await patientOf('DSNP', { memberId: 'DSNP0001' })).toBe('patient-1');
    const input = { UserPoolId: 'us-east-1_members', Username: 'DSNP0001' };
    expect(cognito.commandCalls(AdminGetUserCommand)[0]?.args[0].input).toEqual(input);
  });

  it('is found with a disabled account: what was shared is still shared', async () => {
    cognito.on(AdminGetUserCommand).resolves(account('sub-1', { Enabled: false }));
    expect(await patientOf('DSNP', { memberId: 'DSNP0001' })).toBe('patient-1');
  });

  it('is found by the id of the Patient where there is a record, and no account is asked for', async () => {
    expect(await patientOf('DSNP', { patientId: 'patient-1' })).toBe('patient-1');
    expect(await patientOf('DSNP', { patientId: 'patient-2' })).toBeUndefined();
    expect(await patientOf('MAPD', { patientId: 'patient-1' })).toBeUndefined();
    expect(cognito.calls()).toHaveLength(0);
  });

  it('is nobody without an account, without this coverage, or under another member id', async () => {
    cognito.on(AdminGetUserCommand).rejects(Object.assign(new Error(), { name: 'UserNotFoundException' }));
    expect(await patientOf('DSNP', { memberId: 'DSNP0001' })).toBeUndefined();
    cognito.on(AdminGetUserCommand).resolves(account('sub-1'));
    expect(await patientOf('MAPD', { memberId: 'DSNP0001' })).toBeUndefined();
    expect(await patientOf('DSNP', { memberId: 'DSNP0002' })).toBeUndefined();
    cognito.on(AdminGetUserCommand).resolves(account('sub-2'));
    expect(await patientOf('DSNP', { memberId: 'DSNP0001' })).toBeUndefined();
  });

  it('is not taken for nobody where the pool doesn’t answer', async () => {
    for (const name of ['TooManyRequestsException', 'InternalErrorException', 'TimeoutError']) {
      cognito.on(AdminGetUserCommand).rejects(Object.assign(new Error(name), { name }));
      await expect(patientOf('DSNP', { memberId: 'DSNP0001' })).rejects.toThrow(StoreUnavailable);
    }
  });
});
