import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createFindActiveAccount,
  createIsAccountClosed,
} from '../../../lambdas/authorization/aws/member-account-status.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { mockClient } from '../../support/client-doubles.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const own = {
  ...{ patientId: 'patient-1', memberId: 'DSNP0001', displayName: 'Rosa Ejemplo' },
  relationship: 'self',
} as const;
const child = {
  ...{ patientId: 'patient-9', memberId: 'DSNP0009', displayName: 'Ada Ejemplo' },
  relationship: 'representative',
  representative: { representativeId: 'REP0001', name: 'Rosa Ejemplo', role: 'MTH' },
} as const;
const member = { sub: 'sub-1', patientId: 'patient-1', displayName: 'Rosa Ejemplo' };
const pool = [
  new CognitoIdentityProviderClient({ region: 'us-east-1' }),
  'us-east-1_members',
  {
    patientsOf: async (lob: string, { sub }: { readonly sub: string }) => {
      if (lob !== 'DSNP') return [];
      return sub === 'sub-1' ? [own] : sub === 'sub-9' ? [child] : [];
    },
    sessionEpochOf: async () => 2,
  },
] as const;
const active = createFindActiveAccount(...pool);
const stands = async (...about: Parameters<typeof active>) => (await active(...about)) !== undefined;
const ended = createIsAccountClosed(...pool);
const account = (changes: object = {}) => ({
  ...{ Enabled: true, UserStatus: 'CONFIRMED' as const, UserAttributes: [{ Name: 'sub', Value: 'sub-1' }] },
  ...changes,
});

beforeEach(() => {
  cognito.reset();
});

describe('an account', () => {
  it('stands where it could sign in, by the name the plan knows', async () => {
    cognito.on(AdminGetUserCommand).resolves(account());
    expect(await stands('DSNP', member)).toBe(true);
    const input = { UserPoolId: 'us-east-1_members', Username: 'DSNP0001' };
    expect(cognito.commandCalls(AdminGetUserCommand)[0]?.args[0].input).toEqual(input);
  });

  it('of a representative has the name the plan knows them by, and says whom it may act for', async () => {
    cognito.on(AdminGetUserCommand).resolves(account({ UserAttributes: [{ Name: 'sub', Value: 'sub-9' }] }));
    const representative = { sub: 'sub-9', patientId: 'patient-9' };
    expect(await active('DSNP', representative)).toEqual({ sub: 'sub-9', patients: [child] });
    expect(cognito.commandCalls(AdminGetUserCommand)[0]?.args[0].input).toMatchObject({
      Username: 'REP0001',
    });
    expect(await stands('DSNP', { ...representative, patientId: 'patient-1' })).toBe(false);
  });

  it.each([
    ['disabled', { Enabled: false }],
    ['of unknown state', { Enabled: undefined }],
    ['one whose password was reset', { UserStatus: 'RESET_REQUIRED' }],
    ['one whose password must be set', { UserStatus: 'FORCE_CHANGE_PASSWORD' }],
    ['another’s by now', { UserAttributes: [{ Name: 'sub', Value: 'sub-2' }] }],
    ['without a subject', { UserAttributes: undefined }],
  ])('that is %s does not', async (_what, changes) => {
    cognito.on(AdminGetUserCommand).resolves(account(changes));
    expect(await stands('DSNP', member)).toBe(false);
  });

  it('stands in a session of its epoch, and in none of an earlier one', async () => {
    cognito.on(AdminGetUserCommand).resolves(account());
    const now = { ...member, sessionEpoch: 2 };
    expect(await active('DSNP', now)).toEqual({ sub: 'sub-1', sessionEpoch: 2, patients: [own] });
    expect(await ended('DSNP', now)).toBe(false);
    const before = { ...member, sessionEpoch: 1 };
    expect(await stands('DSNP', before)).toBe(false);
    expect(await ended('DSNP', before)).toBe(true);
  });

  it('without coverage, or of another patient by now, does not, and nobody is asked', async () => {
    expect(await stands('MAPD', member)).toBe(false);
    expect(await stands('DSNP', { ...member, patientId: 'patient-2' })).toBe(false);
    expect(await stands('DSNP', { ...member, sub: 'sub-2' })).toBe(false);
    expect(cognito.calls()).toHaveLength(0);
  });

  it.each([
    'UserNotFoundException',
    'TooManyRequestsException',
    'InternalErrorException',
    'TimeoutError',
  ])('does not where the pool answers %s', async (name) => {
    cognito.on(AdminGetUserCommand).rejects(Object.assign(new Error(name), { name }));
    expect(await stands('DSNP', member)).toBe(false);
  });

  it('is a defect where the pool refuses us, and unavailable where the store is', async () => {
    const name = 'AccessDeniedException';
    cognito.on(AdminGetUserCommand).rejects(Object.assign(new Error(name), { name }));
    await expect(stands('DSNP', member)).rejects.toThrow(name);
    const patientsOf = async () => {
      throw new StoreUnavailable('away');
    };
    const broken = createFindActiveAccount(new CognitoIdentityProviderClient({}), 'pool', {
      patientsOf,
      sessionEpochOf: async () => 2,
    });
    await expect(broken('DSNP', member)).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describe('what an account shared', () => {
  it.each([
    ['stands', {}, false],
    ['is disabled', { Enabled: false }, true],
    ['is of unknown state', { Enabled: undefined }, true],
    ['had its password reset', { UserStatus: 'RESET_REQUIRED' }, false],
    ['is another’s by now', { UserAttributes: [{ Name: 'sub', Value: 'sub-2' }] }, true],
  ] as const)('has it end where the account %s', async (_what, changes, end) => {
    cognito.on(AdminGetUserCommand).resolves(account(changes));
    expect(await ended('DSNP', member)).toBe(end);
  });

  it('has it end where the account was deleted, or is another patient’s', async () => {
    cognito.on(AdminGetUserCommand).rejects(Object.assign(new Error(), { name: 'UserNotFoundException' }));
    expect(await ended('DSNP', member)).toBe(true);
    expect(await ended('DSNP', { ...member, patientId: 'patient-2' })).toBe(true);
  });

  it.each([
    'TooManyRequestsException',
    'InternalErrorException',
    'TimeoutError',
  ])('is not decided where the pool answers %s', async (name) => {
    cognito.on(AdminGetUserCommand).rejects(Object.assign(new Error(name), { name }));
    await expect(ended('DSNP', member)).rejects.toThrow(StoreUnavailable);
  });
});
