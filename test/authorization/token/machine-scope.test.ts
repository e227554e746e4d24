import { describe, expect, it } from 'vitest';
import { grantMachineScope } from '../../../lambdas/authorization/token/machine-scope.ts';
import { allowsSystemRead, systemScopesSupported } from '../../../lambdas/catalog/oauth/system-scopes.ts';
import { aClient } from '../builders.ts';

const standard = 'environment/.default';
const organization = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }];
const payer = {
  tokenEndpointAuthMethod: 'private_key_jwt',
  products: ['payer-access'],
  organization,
} as const satisfies Parameters<typeof aClient>[0];

function granted(scope: string, changes: Parameters<typeof aClient>[0] = payer): string | undefined {
  const answer = grantMachineScope(aClient(changes), scope, 'environment');
  return answer.kind === 'scope' ? answer.scope : answer.refusal.reason;
}

describe('the scope of a client-credentials token', () => {
  it('has the system scopes a verified payer asks for, as far as they read', () => {
    expect(granted('system/*.rs')).toBe('system/*.rs');
    expect(granted('system/*.read system/Patient.cruds')).toBe('system/*.rs system/Patient.rs');
    expect(granted(`${standard} system/Patient.r system/Patient.r`)).toBe(`${standard} system/Patient.r`);
    expect(granted(`system/Coverage.s ${standard}`)).toBe(`${standard} system/Coverage.s`);
    for (const scope of systemScopesSupported) expect(granted(scope)).toBe(scope);
  });

  it('never writes, has no other type, and none limited by a query', () => {
    for (const scope of [
      'system/Patient.cud',
      'system/*.write',
      'system/Group.cud',
      'system/Appointment.rs',
      'system/Patient.rs?_id=1',
    ]) {
      expect([scope, granted(scope)]).toEqual([scope, 'scope_unserved']);
      expect(granted(`${standard} ${scope}`)).toBe(standard);
    }
    expect(granted('system/Group.cruds')).toBe('system/Group.rs');
    expect(granted(`system/*.rs patient/*.rs`)).toBe('scope_unknown');
    for (const operation of [
      'http://hl7.org/fhir/us/davinci-pdex/OperationDefinition/ProviderMemberMatch',
      'system/Encounter.$everything',
      'system.Group.u?code=http://hl7.org/fhir/us/davinci-pdex/ValueSet/PDexMultiMemberMatchResultVS|nomatch',
    ]) {
      expect(granted(`${operation} system/*.rs`), operation).toBe('system/*.rs');
      const alone = grantMachineScope(aClient(payer), operation, 'environment');
      expect(alone).toMatchObject({
        refusal: {
          description: expect.stringContaining(
            `the scope ${operation} is not needed, because system/Patient.rs`,
          ),
        },
      });
    }
    expect(grantMachineScope(aClient(payer), 'openid system/*.rs', 'environment')).toMatchObject({
      refusal: { description: expect.stringContaining('the scope openid is not supported') },
    });
    expect(granted('')).toBe('scope_unknown');
  });

  const [pdex, hrex] = ['pdex', 'hrex'].map((guide) => `http://hl7.org/fhir/us/davinci-${guide}`);
  it.each([
    [`${pdex}/OperationDefinition/bulk-member-match`, 'system/Patient.rs'],
    [`${pdex}/OperationDefinition/BulkMemberMatch`, 'system/Patient.rs'],
    [`${hrex}/OperationDefinition/member-match`, 'system/Patient.rs'],
    ['system/Patient.$member-match', 'system/Patient.rs'],
    ['system/Group.$davinci-data-export', 'system/*.rs'],
    [`system.Group.u?code=${pdex}/ValueSet/PDexMultiMemberMatchResultVS|match`, 'system/*.rs'],
  ])('lets a payer that names the operation %s alone read by it %s', (operation, scope) => {
    expect(granted(operation)).toBe(scope);
    expect(granted(`${operation} system/Coverage.rs`)).toBe('system/Coverage.rs');
    expect(granted(operation, { ...payer, organization: [] })).toBe('scope_unserved');
  });

  it.each<[string, Parameters<typeof aClient>[0]]>([
    ['no verified organization', { ...payer, organization: undefined }],
    ['an organization that is no longer verified', { ...payer, organization: [] }],
    ['a client secret', { ...payer, tokenEndpointAuthMethod: 'client_secret_basic' }],
    ['another product', { ...payer, products: ['patient-access', 'provider-directory'] }],
  ])('has no system scope for a client with %s', (_what, changes) => {
    expect(granted('system/*.rs', changes)).toBe('scope_unserved');
    expect(granted(`system/*.rs ${standard}`, changes)).toBe(standard);
  });

  it('lets a member be matched by reading of all types or of Patient only', () => {
    for (const scope of ['system/*.rs', 'system/*.r', 'system/Patient.rs', `${standard} system/Patient.r`]) {
      expect(allowsSystemRead(scope, 'Patient')).toBe(true);
    }
    for (const scope of [
      standard,
      'patient/*.rs',
      'system/Patient.s',
      'system/Coverage.rs',
      'system/*.s',
      '',
    ]) {
      expect(allowsSystemRead(scope, 'Patient')).toBe(false);
    }
  });
});
