import { beforeAll, describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { compilePolicies } from '../../../local/aws/iam/iam.ts';
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

  it('traces executions, as those of jobs are', () => {
    const machines = [...synthesizeApp().values()].flatMap((each) =>
      resources(each, 'AWS::StepFunctions::StateMachine'),
    );
    expect(machines.length).toBeGreaterThan(2);
    for (const { Properties } of machines) expect(Properties.TracingConfiguration).toEqual({ Enabled: true });
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

  it('lets an uploader write the drops of its line of business, and read, list and remove none', () => {
    const document = policiesText(/^UploaderDSNPPolicy/)
      .replace(
        /\{"Fn::Join":\["",\[\{"Fn::GetAtt":\["IngestBucket\w+","Arn"\]\},"([^"]*)"\]\]\}/g,
        '"arn:aws:s3:::drops$1"',
      )
      .replace(/\{"Fn::GetAtt":\["IngestKey\w+","Arn"\]\}/g, '"arn:aws:kms:key"');
    const policies = compilePolicies(JSON.parse(document));
    const may = (action: string, resource: string, via?: string) =>
      policies.evaluate(action, resource, via === undefined ? {} : { 'kms:viaservice': [via] }) === 'allowed';
    expect(may('s3:PutObject', 'arn:aws:s3:::drops/DSNP/claims/d1/manifest.json')).toBe(true);
    expect(may('s3:PutObject', 'arn:aws:s3:::drops/MAPD/claims/d1/manifest.json')).toBe(false);
    expect(may('s3:PutObject', 'arn:aws:s3:::drops/DSNP-2/claims/d1/manifest.json')).toBe(false);
    for (const action of ['GetObject', 'DeleteObject', 'PutObjectAcl', 'GetObjectVersion']) {
      expect(may(`s3:${action}`, 'arn:aws:s3:::drops/DSNP/claims/d1/manifest.json'), action).toBe(false);
    }
    expect(may('s3:ListBucket', 'arn:aws:s3:::drops')).toBe(false);
    for (const action of ['kms:GenerateDataKey', 'kms:Decrypt']) {
      expect(may(action, 'arn:aws:kms:key', 's3.us-east-1.amazonaws.com'), action).toBe(true);
      expect(may(action, 'arn:aws:kms:key'), action).toBe(false);
    }
  });

  it('has a policy for the uploads of each line of business, and names it', () => {
    const named = Object.keys((stack as { readonly Outputs?: object }).Outputs ?? {});
    expect(named.filter((name) => name.startsWith('Uploader')).sort()).toEqual(
      lineOfBusinessCodes.map((lob) => `Uploader${lob}PolicyArn`).sort(),
    );
  });
});
