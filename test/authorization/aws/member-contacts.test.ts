import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemberContacts } from '../../../lambdas/authorization/aws/member-contacts.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { mockClient } from '../../support/client-doubles.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const link = { patientId: 'patient-1', memberId: 'DSNP0001', displayName: 'Rosa Ejemplo' };
const links = {
  find: async (lob: string, sub: string) =>
    ['DSNP', 'EGWP'].includes(lob) && sub === 'sub-1' ? link : undefined,
};
const planned = async (lob: string) =>
  lob === 'EGWP' ? { reachable: { phoneNumber: '+12025550177' } } : undefined;
const contactOf = createMemberContacts(
  new CognitoIdentityProviderClient({ region: 'us-east-1' }),
  'us-east-1_members',
  links,
  async (_lob, sub) => (sub === 'sub-of-guardian' ? 'R2001' : undefined),
  async (lob, memberId) =>
    memberId === 'R2001' ? { reachable: { email: 'mia@example.com' } } : await planned(lob),
  async (number) => (number.startsWith('+1') ? number : undefined),
);
function attributes(changes: Readonly<Record<string, string>> = {}) {
  const all = {
    sub: 'sub-1',
    email: 'rosa@example.com',
    email_verified: 'true',
    phone_number: '+12025550123',
    phone_number_verified: 'true',
    ...changes,
  };
  return { UserAttributes: Object.entries(all).map(([Name, Value]) => ({ Name, Value })) };
}

beforeEach(() => {
  cognito.reset();
});

describe('where a member can be reached', () => {
  it('is what the account of their member id says', async () => {
    cognito.on(AdminGetUserCommand).resolves(attributes());
    expect(await contactOf('DSNP', 'sub-1')).toEqual({
      email: 'rosa@example.com',
      phoneNumber: '+12025550123',
    });
    const input = { UserPoolId: 'us-east-1_members', Username: 'DSNP0001' };
    expect(cognito.commandCalls(AdminGetUserCommand)[0]?.args[0].input).toEqual(input);
  });

  it('is what the plan’s last drop says, where one loaded the member', async () => {
    expect(await contactOf('EGWP', 'sub-1')).toEqual({ phoneNumber: '+12025550177' });
    expect(cognito.commandCalls(AdminGetUserCommand)).toEqual([]);
  });

  it('is what the drop says of a representative who is no member', async () => {
    expect(await contactOf('DSNP', 'sub-of-guardian')).toEqual({ email: 'mia@example.com' });
    expect(await contactOf('DSNP', 'sub-of-nobody')).toBeUndefined();
    expect(cognito.commandCalls(AdminGetUserCommand)).toEqual([]);
  });

  it('is no address that is not verified', async () => {
    cognito
      .on(AdminGetUserCommand)
      .resolves(attributes({ email_verified: 'false', phone_number_verified: '' }));
    expect(await contactOf('DSNP', 'sub-1')).toEqual({ email: undefined, phoneNumber: undefined });
  });

  it('is never another account’s', async () => {
    cognito.on(AdminGetUserCommand).resolves(attributes({ sub: 'sub-2' }));
    expect(await contactOf('DSNP', 'sub-1')).toBeUndefined();
    expect(await contactOf('MAPD', 'sub-1')).toBeUndefined();
  });

  it.each([
    ['the pool is busy', { name: 'TooManyRequestsException', $metadata: { httpStatusCode: 400 } }],
    ['the connection fails', { code: 'EAI_AGAIN' }],
  ])('is not known for now where %s', async (_what, failure) => {
    cognito.on(AdminGetUserCommand).rejects(Object.assign(new Error('no'), failure));
    await expect(contactOf('DSNP', 'sub-1')).rejects.toThrow(StoreUnavailable);
  });

  it('is a defect where a right is missing', async () => {
    const name = 'AccessDeniedException';
    cognito.on(AdminGetUserCommand).rejects(Object.assign(new Error(name), { name }));
    await expect(contactOf('DSNP', 'sub-1')).rejects.toThrow(name);
  });
});
