import { beforeAll, describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { portal } from '../../../lib/config/portal.ts';
import { resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

let templates: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
});

const policyText = (stack: Template, name: RegExp) =>
  JSON.stringify(
    Object.entries(stack.Resources)
      .filter(([id, { Type }]) => Type === 'AWS::IAM::ManagedPolicy' && name.test(id))
      .map(([, { Properties: properties }]) => properties.PolicyDocument),
  );

describe('asynchronous jobs', () => {
  it('have a bucket with a key of their own, which loses its objects and keeps no versions of them', () => {
    const stack = template(templates, 'production/Jobs');
    const bucket = resources(stack, 'AWS::S3::Bucket').find(({ Properties: { BucketEncryption } }) =>
      JSON.stringify(BucketEncryption).includes('aws:kms'),
    );
    expect(bucket?.Properties.VersioningConfiguration).toBeUndefined();
    const { Rules } = bucket?.Properties.LifecycleConfiguration as { readonly Rules: readonly object[] };
    expect(Rules).toHaveLength(3 * lineOfBusinessCodes.length);
    expect(Rules).toContainEqual({
      Prefix: 'DSNP/jobs/',
      Status: 'Enabled',
      ExpirationInDays: 3,
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    });
    expect(JSON.stringify(resources(stack, 'AWS::S3::BucketPolicy'))).toContain('aws:SecureTransport');
  });

  it('of one LOB reach no objects and no items of another', () => {
    for (const lob of lineOfBusinessCodes) {
      const stack = template(templates, `sandbox/Lob${lob}`);
      for (const name of [/^FunctionsPayerJobs(Table)?Policy/, /^FunctionsPayerAccess(Table)?Policy/]) {
        const text = policyText(stack, name);
        expect(text).toContain(`/${lob}/*`);
        for (const other of lineOfBusinessCodes.filter((each) => each !== lob)) {
          expect(text).not.toContain(`/${other}/`);
          expect(text).not.toContain(`${other}#`);
        }
      }
    }
  });

  it('have a state machine that may invoke their function and nothing else', () => {
    const stack = template(templates, 'sandbox/LobMHBE');
    const text = policyText(stack, /^FunctionsJobsPolicy/);
    expect(
      text.match(
        /"lambda:InvokeFunction","Effect":"Allow","Resource":\{"Fn::GetAtt":\["FunctionsPayerJobsFunction\w+","Arn"\]\}/g,
      ),
    ).toHaveLength(1);
    expect(text).not.toMatch(/"(s3|dynamodb|states):/);
  });

  it('are operated by a function that the account of the portal may invoke, and that adds events about applications', () => {
    for (const environment of ['sandbox', 'production']) {
      const stack = template(templates, `${environment}/Jobs`);
      const [operations] = resources(stack, 'AWS::Lambda::Function').filter(
        ({ Properties: { FunctionName } }) => FunctionName === `member-data-${environment}-job-operations`,
      );
      expect(operations).toBeDefined();
      const admitted = resources(stack, 'AWS::Lambda::Permission').map(({ Properties }) => Properties);
      expect(admitted).toMatchObject([
        { Action: 'lambda:InvokeFunction', Principal: portal.account },
        // The permission of the sweep's schedule.
        { Action: 'lambda:InvokeFunction', Principal: 'events.amazonaws.com' },
      ]);
      const text = policyText(stack, /^JobOperations(Table)?Policy/);
      const events = lineOfBusinessCodes.map((lob) => `AUDIT#${lob}#CLIENT#*`);
      for (const event of events) expect(text).toContain(event);
      expect(text.match(/AUDIT#\w+#[A-Z]+/g)).toHaveLength(events.length);
      expect(text).not.toMatch(/PATIENT|MEMBER|s3:GetObject/);
    }
  });

  it('are swept by a function that may start and look at the executions of every LOB’s jobs, which have its names', () => {
    const stack = template(templates, 'sandbox/Jobs');
    const text = policyText(stack, /^JobOperationsPolicy/);
    for (const lob of lineOfBusinessCodes) {
      const name = `member-data-sandbox-jobs-${lob}`;
      const [machine] = resources(
        template(templates, `sandbox/Lob${lob}`),
        'AWS::StepFunctions::StateMachine',
      );
      expect(machine?.Properties.StateMachineName).toBe(name);
      expect(text).toContain(`:stateMachine:${name}"`);
      expect(text).toContain(`:execution:${name}:*"`);
    }
    const [schedule] = resources(stack, 'AWS::Events::Rule').map(({ Properties }) => Properties);
    expect(schedule).toMatchObject({
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [{ Input: '{"action":"sweep"}' }],
    });
  });
});
