import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../lib/config/common-fields.ts';
import { parseConfiguration } from '../../../lib/config/configuration.ts';
import { hosts, origins } from '../../../lib/config/hosts.ts';
import { local } from '../../../lib/config/local.ts';
import { assertDistinctEnvironments, readConfigurations } from '../../../lib/config/read-configurations.ts';
import { sandbox } from '../../../lib/config/sandbox.ts';

const refusal = (input: unknown) => {
  try {
    parseConfiguration('lib/config/sandbox.ts', input);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return undefined;
};

describe('a configuration file', () => {
  it('is accepted as it stands', () => {
    expect(refusal(sandbox)).toBeUndefined();
  });

  it('is refused for production with the tier of the demonstration', () => {
    const wrong = refusal({ ...sandbox, environment: 'production' });
    expect(wrong).toContain('tiers.demonstration: expected no tier of this name');
  });

  it.each([
    ['domain', { domain: 'https://Example.org/' }, 'expected a domain name'],
    ['account', { account: '12345' }, 'expected an AWS account number'],
    ['region', { region: 'Virginia' }, 'expected an AWS Region'],
    ['certificateArn', { certificateArn: 'none' }, 'expected an ACM ARN'],
    ['resourceId', { resourceId: 'sandbox' }, 'UUID'],
    ['keyRotationDays', { keyRotationDays: 0 }, '>0'],
    ['environment', { environment: 'test' }, '"sandbox"|"production"'],
    ['linesOfBusiness.0', { linesOfBusiness: ['HMO'] }, '"CHPDC"'],
    ['linesOfBusiness', { linesOfBusiness: ['DSNP', 'DSNP'] }, 'each line of business once'],
    [
      'warmThroughput.writeUnitsPerSecond',
      { warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 3_000 } },
      '4000',
    ],
    [
      'tiers.standard.burst',
      { tiers: { standard: { requestsPerSecond: 10, burst: '20', requestsPerDay: 1 } } },
      'expected number',
    ],
    [
      'lifetimes.grantDays',
      { lifetimes: { ...sandbox.lifetimes, grantDays: undefined } },
      'expected number, received undefined',
    ],
    [
      'tiers.standard',
      { tiers: { standard: { requestsPerSecond: 600, burst: 20, requestsPerDay: 1 } } },
      'at most the limits of a host: 500 a second, burst 1000',
    ],
    ['monthlyBudgetDollars', { monthlyBudgetDollars: 4_000 }, 'expected alarmEmail too'],
    ['planIdentifiers.DSNP.npi', { planIdentifiers: { DSNP: { npi: '1234567890' } } }, 'check digit'],
    ['planIdentifiers.DSNP.naic', { planIdentifiers: { DSNP: { naic: '1234' } } }, 'five digits'],
    ['planIdentifiers.DSNP', { planIdentifiers: { DSNP: {} } }, 'expected naic, npi or oid'],
    ['backup.keptDays', { backup: { keptDays: 1 } }, '>=7'],
    ['backup.copyTo', { backup: { copyTo: 'member-data' } }, 'expected the ARN of a backup vault'],
    [
      'backup.copyTo',
      { backup: { copyTo: `arn:aws:backup:${sandbox.region}:${sandbox.account}:backup-vault:beside` } },
      'expected a vault of another Region or account',
    ],
    ['hostedZone.id', { hostedZone: { id: '', name: 'example.org' } }, 'expected a Route 53 hosted zone id'],
    [
      'certificateArn',
      { certificateArn: 'arn:aws:acm:us-west-2:111122223333:certificate/a' },
      'a certificate of account 111122223333 in us-east-1',
    ],
    [
      'certificateArn',
      { certificateArn: 'arn:aws:acm:us-east-1:999922223333:certificate/a' },
      'a certificate of account 111122223333 in us-east-1',
    ],
    [
      'hostedZone.name',
      { hostedZone: { id: 'Z0123456789', name: 'data.example' } },
      'expected sandbox.memberdata.example or a domain above it',
    ],
    ['alarmEmail', { alarmEmail: 'on call' }, 'expected an e-mail address'],
    ['colour', { colour: 'green' }, 'no such field'],
  ])('is refused with the file, the field %s and what was expected', (field, wrong, expected) => {
    const message = refusal({ ...sandbox, ...wrong });
    expect(message).toContain('lib/config/sandbox.ts is invalid');
    expect(message).toContain(`  ${field}: `);
    expect(message).toContain(expected);
  });

  it('is told every wrong field at once', () => {
    const message = refusal({ ...sandbox, account: '1', region: 'x' });
    expect(message).toMatch(/account: [\s\S]*region: /);
  });
});

describe('two environments', () => {
  const [first, second] = readConfigurations({});
  if (first === undefined || second === undefined) throw new Error('there are two');

  it('have hosts and a resource of their own', () => {
    expect(() => assertDistinctEnvironments('f', second, first)).not.toThrow();
    expect(() => assertDistinctEnvironments('f', { ...second, domain: first.domain }, first)).toThrow(
      /^f is invalid:\n {2}domain: must differ from sandbox's$/,
    );
    expect(() => assertDistinctEnvironments('f', { ...second, resourceId: first.resourceId }, first)).toThrow(
      /resourceId: must differ from sandbox's/,
    );
  });

  it.each([
    'api.',
    'auth.',
    'dsnp.api.',
  ])('are refused with domains that overlap: %s of the other', (prefix) => {
    const nested = { ...second, domain: `${prefix}${first.domain}` };
    const message =
      /^f is invalid:\n {2}domain: .* and .* overlap; expected two of which neither is auth\., token\. or api\. of the other/;
    expect(() => assertDistinctEnvironments('f', nested, first)).toThrow(message);
    expect(() => assertDistinctEnvironments('f', first, nested)).toThrow(message);
  });

  it.each([
    'memberAccessTokenSeconds',
    'authorizationCodeSeconds',
    'grantDays',
  ])('are refused with the lifetime 0: %s', (field) => {
    const message = refusal({ ...sandbox, lifetimes: { ...sandbox.lifetimes, [field]: 0 } });
    expect(message).toMatch(new RegExp(`^lib/config/sandbox.ts is invalid:\\n {2}lifetimes.${field}: `));
  });
});

describe('the context', () => {
  it('chooses the deployed addresses unless told otherwise', () => {
    const [first, second] = readConfigurations({}).map(origins);
    expect(first).toEqual({
      auth: 'https://auth.sandbox.memberdata.example',
      token: 'https://token.sandbox.memberdata.example',
      apiTemplate: 'https://{lob}.api.sandbox.memberdata.example',
    });
    expect(second?.auth).toBe('https://auth.memberdata.example');
  });

  it('chooses the addresses of one machine', () => {
    const [first, second] = readConfigurations({ configuration: 'local' });
    expect(first && origins(first).auth).toBe('http://auth.sandbox.localhost:8080');
    expect(second && hosts(second).api('DSNP')).toBe('dsnp.api.production.localhost');
    const [other] = readConfigurations({ configuration: 'local', port: '9090' });
    expect(other && origins(other).token).toBe('http://token.sandbox.localhost:9090');
  });

  it('leaves the hosted zone to the deployed addresses', () => {
    const configured = { ...sandbox, hostedZone: { id: 'Z0123456789', name: 'memberdata.example' } };
    expect(parseConfiguration('f', configured).hostedZone).toBeDefined();
    expect(parseConfiguration('f', local(configured, 8080)).hostedZone).toBeUndefined();
  });

  it.each([
    [{ configuration: 'staging' }, 'context configuration: expected "local", got "staging"'],
    [{ configuration: 'local', port: 'http' }, 'context port: expected a number from 1 to 65535, got "http"'],
    [{ configuration: 'local', port: 65_536 }, 'context port: expected a number from 1 to 65535'],
  ])('is refused where it means nothing: %j', (context, message) => {
    expect(() => readConfigurations(context)).toThrow(message);
  });
});
