import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../lib/config/common-fields.ts';
import { portal } from '../../../lib/config/portal.ts';
import {
  environmentFunctionArns,
  parsePortalConfiguration,
  portalOrigin,
} from '../../../lib/config/portal-configuration.ts';
import { readConfigurations, readPortalConfiguration } from '../../../lib/config/read-configurations.ts';

const environments = readConfigurations({});
const parse = (input: unknown) => parsePortalConfiguration('lib/config/portal.ts', input, environments);

const refusal = (input: unknown) => {
  try {
    parse(input);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return undefined;
};

describe('the portal’s configuration file', () => {
  it('is accepted as it stands, and says the rest by default', () => {
    expect(parse(portal)).toMatchObject({
      scheme: 'https',
      botCheckCost: 2_000,
      fourEyes: false,
      signInVerification: 'risk',
      networkChecks: true,
      doctorEnvironment: 'sandbox',
      operatorAuthenticator: 'required',
      protectedNames: expect.arrayContaining(['Medicare', 'Medicaid']),
    });
  });

  it.each([
    ['hostname', { hostname: 'https://portal' }, 'expected a domain name'],
    ['account', { account: 'mine' }, 'expected an AWS account number'],
    [
      'certificateArn',
      { certificateArn: 'arn:aws:acm:us-west-2:777788889999:certificate/a' },
      'expected an ACM ARN in us-east-1',
    ],
    ['supportEmail', { supportEmail: 'help desk' }, 'expected an e-mail address'],
    ['recaptcha.secretArn', { recaptcha: { siteKey: 'k', secretArn: 's3cret' } }, 'the ARN of a secret'],
    ['recaptcha.siteKey', { recaptcha: { secretArn: 's3cret' } }, 'received undefined'],
    ['botCheckCost', { botCheckCost: 999 }, 'expected at least 1000'],
    ['fourEyes', { fourEyes: 'yes' }, 'expected boolean'],
    ['signInVerification', { signInVerification: 'sometimes' }, '"risk"'],
    ['tiers.production', { tiers: { sandbox: 'standard' } }, 'received undefined'],
    [
      'tiers.production',
      { tiers: { sandbox: 'standard', production: 'gold' } },
      'expected one of standard, got "gold"',
    ],
    [
      'provisioningFunctions.sandbox',
      { provisioningFunctions: { sandbox: 'provisioning' } },
      'expected the ARN of a function',
    ],
    [
      'webAclArn',
      { webAclArn: 'arn:aws:wafv2:us-east-1:777788889999:regional/webacl/a/b' },
      'expected the ARN of a global web ACL',
    ],
    [
      'certificateArn',
      { certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/a' },
      'expected one of account 777788889999',
    ],
    [
      'webAclArn',
      { webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/a/b' },
      'expected one of account 777788889999',
    ],
    [
      'recaptcha.secretArn',
      { recaptcha: { siteKey: 'k', secretArn: 'arn:aws:secretsmanager:us-west-2:777788889999:secret:a' } },
      'a secret of account 777788889999 in us-east-1',
    ],
    [
      'hostedZone.name',
      { hostedZone: { id: 'Z0123456789', name: 'elsewhere.example' } },
      'expected developer.memberdata.example or a domain above it',
    ],
    ['region', { region: 'us-west-2' }, 'expected us-east-1, where the provisioning function of sandbox is'],
    [
      'region',
      { provisioningFunctions: { production: 'arn:aws:lambda:eu-west-1:444455556666:function:a' } },
      'expected eu-west-1, where the provisioning function of production is',
    ],
    [
      'senderDomain',
      {
        senderDomain: 'memberdata.example',
        account: '444455556666',
        certificateArn: 'arn:aws:acm:us-east-1:444455556666:certificate/a',
      },
      'is the sender of production, in the same account and Region',
    ],
    ['hostname', { hostname: 'dsnp.api.memberdata.example' }, 'is a host of production'],
    ['hostname', { hostname: 'auth.sandbox.memberdata.example' }, 'is a host of sandbox'],
    ['colour', { colour: 'green' }, 'no such field'],
  ])('is refused with the file, the field %s and what was expected', (field, wrong, expected) => {
    const message = refusal({ ...portal, ...wrong });
    expect(message).toContain('lib/config/portal.ts is invalid');
    expect(message).toContain(`  ${field}: `);
    expect(message).toContain(expected);
  });

  it('finds an environment’s provisioning function in its account and Region, unless it says where', () => {
    const elsewhere = 'arn:aws:lambda:us-east-1:123456789012:function:other';
    expect(environmentFunctionArns('provisioningFunctions', parse(portal), environments)).toEqual({
      sandbox: 'arn:aws:lambda:us-east-1:111122223333:function:member-data-sandbox-provisioning',
      production: 'arn:aws:lambda:us-east-1:444455556666:function:member-data-production-provisioning',
    });
    expect(environmentFunctionArns('jobFunctions', parse(portal), environments).sandbox).toBe(
      'arn:aws:lambda:us-east-1:111122223333:function:member-data-sandbox-job-operations',
    );
    const told = parse({ ...portal, provisioningFunctions: { production: elsewhere } });
    expect(environmentFunctionArns('provisioningFunctions', told, environments).production).toBe(elsewhere);
  });

  it('is deployed under its host, and on one machine under one a browser finds without DNS', () => {
    expect(portalOrigin(parse(portal))).toBe('https://developer.memberdata.example');
    const local = { configuration: 'local', port: '9090' };
    const onOneMachine = readPortalConfiguration(local, readConfigurations(local));
    expect(portalOrigin(onOneMachine)).toBe('http://portal.localhost:9090');
    expect(onOneMachine.networkChecks).toBe(false);
  });
});
