import { beforeAll, describe, expect, it } from 'vitest';
import { resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

let authorization: Template;
beforeAll(() => {
  authorization = template(synthesizeApp(), 'sandbox/Authorization');
});

/** The statements that name an action, each with its policy. */
function holding(action: string): readonly (readonly [policy: string, statement: Statement])[] {
  return Object.entries(authorization.Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::ManagedPolicy')
    .flatMap(([policy, { Properties: properties }]) =>
      (properties.PolicyDocument as { readonly Statement: readonly Statement[] }).Statement.map(
        (statement) => [policy.replace(/(Table)?Policy.*/, ''), statement] as const,
      ),
    )
    .filter(([, { Action }]) => [Action].flat().includes(action));
}

describe('messages to members', () => {
  it('come from an identity of the environment’s domain', () => {
    const identities = resources(authorization, 'AWS::SES::EmailIdentity');
    expect(identities.map(({ Properties: { EmailIdentity } }) => EmailIdentity)).toEqual([
      'sandbox.memberdata.example',
    ]);
  });

  it('are sent by the functions of sign-in and activation alone, from one address, and to no topic', () => {
    const emails = holding('ses:SendEmail');
    expect(emails.map(([policy]) => policy)).toEqual(['FunctionsActivation', 'FunctionsAuthorize']);
    for (const [, { Condition, Resource }] of emails) {
      expect(Condition).toEqual({
        StringEquals: { 'ses:FromAddress': 'no-reply@sandbox.memberdata.example' },
      });
      expect(JSON.stringify(Resource)).not.toContain('"*"');
    }
    const texts = holding('sns:Publish').map(([policy, { Effect, Resource }]) => [policy, Effect, Resource]);
    expect(texts).toEqual([
      ['FunctionsActivation', 'Allow', '*'],
      ['FunctionsActivation', 'Deny', expect.anything()],
      ['FunctionsAuthorize', 'Allow', '*'],
      ['FunctionsAuthorize', 'Deny', expect.anything()],
    ]);
    for (const at of [1, 3]) expect(JSON.stringify(texts[at]?.[2])).toContain(':sns:*:*:*');
  });

  it('have codes whose digests are made by an HMAC key, which only makes them', () => {
    const makers = holding('kms:GenerateMac').map(([policy]) => policy);
    expect(makers).toEqual(['FunctionsActivation', 'FunctionsAuthorize']);
    const keys = resources(authorization, 'AWS::KMS::Key');
    expect(keys.map(({ Properties: { KeySpec, KeyUsage } }) => [KeySpec, KeyUsage])).toEqual([
      ['HMAC_256', 'GENERATE_VERIFY_MAC'],
    ]);
    expect(holding('kms:VerifyMac')).toEqual([]);
  });
});
