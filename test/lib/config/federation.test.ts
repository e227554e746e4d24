import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../lib/config/common-fields.ts';
import { type ConfigurationInput, parseConfiguration } from '../../../lib/config/configuration.ts';
import { identityProvidersOf } from '../../../lib/config/federation.ts';
import { local } from '../../../lib/config/local.ts';
import { sandbox } from '../../../lib/config/sandbox.ts';

type Federation = NonNullable<ConfigurationInput['federation']>;
type Provider = NonNullable<Federation['default']>;

const provider: Provider = {
  issuer: 'https://login.plan.example',
  clientId: 'member-data',
  memberIdClaim: 'member_id',
  label: 'Plan Portal',
};

const parsed = (federation: unknown, input: ConfigurationInput = sandbox) =>
  parseConfiguration('lib/config/sandbox.ts', { ...input, federation });

function refusal(federation: unknown, input?: ConfigurationInput): string | undefined {
  try {
    parsed(federation, input);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

describe('the identity providers of a configuration', () => {
  it('are none, unless configured', () => {
    expect(identityProvidersOf(parseConfiguration('file', sandbox))).toEqual({});
  });

  it('are the environment’s for each LOB, with its own in place or none', () => {
    const own = { ...provider, issuer: 'https://login.dual.example', localAccounts: false };
    const of = identityProvidersOf(
      parsed({ default: provider, linesOfBusiness: { DSNP: own, MHBE: 'none' } }),
    );
    expect(of.DSNP).toMatchObject({ issuer: 'https://login.dual.example', localAccounts: false });
    expect(of.MHBE).toBeUndefined();
    expect(of.MAPD).toEqual({
      ...provider,
      clientAuthentication: 'private_key_jwt',
      idTokenAlgorithm: 'RS256',
      scopes: ['openid'],
      label: { en: 'Plan Portal', es: 'Plan Portal' },
      acrValues: [],
      localAccounts: true,
    });
  });

  it.each([
    ['issuer', 'http://login.plan.example', 'an https URL'],
    ['issuer', 'https://login.plan.example:8443', 'an https URL on port 443'],
    ['issuer', 'https://login.plan.example?tenant=1', 'without query'],
    ['issuer', 'https://login.plan.example#', 'without query, fragment'],
    ['issuer', 'https://user@login.plan.example', 'user name'],
    ['issuer', 'login.plan.example', 'an https URL'],
    ['issuer', 'http://127.0.0.1:9000', 'an https URL'],
    ['clientId', '', '1 to 255 visible'],
    ['clientAuthentication', 'none', '"private_key_jwt"'],
    ['idTokenAlgorithm', 'none', '"RS256"'],
    ['idTokenAlgorithm', 'HS256', '"RS256"'],
    ['memberIdClaim', '', 'the name of a claim'],
    ['scopes', ['profile'], 'openid among the scopes'],
    ['label', '<b>Plan</b>', 'label'],
    ['acrValues', ['two factors'], 'without spaces'],
    ['clientSecret', 'a secret', 'no such field'],
  ])('are refused with %s %s', (field, value, message) => {
    const said = refusal({ default: { ...provider, [field]: value } });
    expect(said).toContain(`federation.default.${field}`);
    expect(said).toContain(message);
  });

  it('may be on this machine where the environment is, and only then', () => {
    const onThisMachine = { default: { ...provider, issuer: 'http://127.0.0.1:9000/plan' } };
    expect(refusal(onThisMachine, local(sandbox, 8080))).toBeUndefined();
    expect(refusal(onThisMachine)).toContain('federation.default.issuer');
    const elsewhere = { default: { ...provider, issuer: 'http://10.0.0.1:9000' } };
    expect(refusal(elsewhere, local(sandbox, 8080))).toContain('federation.default.issuer');
  });

  it('are refused for a LOB that the environment lacks', () => {
    const said = refusal({ linesOfBusiness: { MHBE: provider } }, { ...sandbox, linesOfBusiness: ['DSNP'] });
    expect(said).toContain(
      'federation.linesOfBusiness.MHBE: expected a line of business of this environment',
    );
  });

  it('are refused where one client of one issuer authenticates in two ways', () => {
    const said = refusal({
      default: provider,
      linesOfBusiness: { DSNP: { ...provider, clientAuthentication: 'client_secret_basic' } },
    });
    expect(said).toContain(
      'federation.linesOfBusiness.DSNP.clientAuthentication: expected private_key_jwt, as elsewhere',
    );
  });
});
