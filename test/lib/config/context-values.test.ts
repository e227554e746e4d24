import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../lib/config/common-fields.ts';
import { readConfigurations, readPortalConfiguration } from '../../../lib/config/read-configurations.ts';

describe('a value of a configuration file in the context', () => {
  it('takes the place of the file’s own, and of no other file’s', () => {
    const [sandbox, production] = readConfigurations({ 'sandbox.subscriptionKey': 'optional' });
    expect([sandbox?.subscriptionKey, production?.subscriptionKey]).toEqual(['optional', 'required']);
  });

  it('reaches a field within a field and leaves the others there', () => {
    const [usual] = readConfigurations({});
    const [changed] = readConfigurations({ 'sandbox.lifetimes.grantDays': '30' });
    expect(changed).toEqual({ ...usual, lifetimes: { ...usual?.lifetimes, grantDays: 30 } });
  });

  it('is JSON where it is that, on one machine and deployed', () => {
    const environments = readConfigurations({});
    expect(readPortalConfiguration({ 'portal.fourEyes': 'true' }, environments).fourEyes).toBe(true);
    const context = { configuration: 'local', port: 8080, 'portal.fourEyes': 'true' };
    expect(readPortalConfiguration(context, readConfigurations(context)).fourEyes).toBe(true);
  });

  it.each([
    [{ 'sandbox.subscriptionKey': 'sometimes' }, 'lib/config/sandbox.ts is invalid', 'subscriptionKey'],
    [
      { 'production.subscriptionkey': 'optional' },
      'lib/config/production.ts',
      'subscriptionkey: no such field',
    ],
    [{ 'sandbox.lifetimes.grantDays': 'long' }, 'lib/config/sandbox.ts', 'lifetimes.grantDays'],
    [{ 'staging.domain': 'example.org' }, 'context staging.domain', 'sandbox, production, portal'],
  ])('is checked as the file is: %j', (context, where, what) => {
    const read = () => readConfigurations(context);
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(where);
    expect(read).toThrow(what);
  });

  it('is told from the context the CDK keeps for itself', () => {
    const context = {
      '@aws-cdk/core:newStyleStackSynthesis': true,
      'aws:cdk:bundling-stacks': ['**'],
      'hosted-zone:account=1:domainName=example.org:region=us-east-1': {},
    };
    expect(readConfigurations(context)).toEqual(readConfigurations({}));
  });
});
