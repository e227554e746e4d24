import { beforeAll, describe, expect, it } from 'vitest';
import { resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

let stack: Template;
beforeAll(() => {
  stack = template(synthesizeApp(), 'sandbox/Loads');
});

const policiesText = (name: RegExp) =>
  JSON.stringify(
    Object.entries(stack.Resources)
      .filter(([id, { Type }]) => Type === 'AWS::IAM::ManagedPolicy' && name.test(id))
      .map(([, { Properties: properties }]) => properties.PolicyDocument),
  );

describe('the stack of loads', () => {
  it('gives no function of a load a right to the user pool', () => {
    expect(policiesText(/^Load(Range|Steps|Operations)Policy/)).not.toContain('cognito');
  });

  it('lets the state machine invoke its two functions, and read the lists of ranges', () => {
    const text = policiesText(/^LoadsPolicy/);
    expect(text.match(/lambda:InvokeFunction/g)).toHaveLength(1);
    expect(text).toContain('/*/report/*');
  });

  it('encrypts drops with a key of their own, keeps versions, and refuses plain HTTP', () => {
    const bucket = resources(stack, 'AWS::S3::Bucket').find(
      ({ Properties: { NotificationConfiguration } }) => NotificationConfiguration !== undefined,
    );
    expect(JSON.stringify(bucket?.Properties.BucketEncryption)).toMatch(/IngestKey.*"aws:kms"/);
    expect(bucket?.Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(JSON.stringify(resources(stack, 'AWS::S3::BucketPolicy'))).toContain('aws:SecureTransport');
  });

  it('starts a load when a manifest arrives, and at nothing else', () => {
    const [rule] = resources(stack, 'AWS::Events::Rule').filter(
      ({ Properties: { EventPattern } }) => EventPattern,
    );
    expect(rule?.Properties.EventPattern).toMatchObject({
      'detail-type': ['Object Created'],
      detail: { object: { key: [{ suffix: '/manifest.json' }] } },
    });
  });
});
