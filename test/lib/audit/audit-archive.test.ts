import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../lib/config/configuration.ts';
import { sandbox } from '../../../lib/config/sandbox.ts';
import { configuredApp } from '../configured-app.ts';
import { resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

const archiveOf = (data: Template) => {
  const [id, bucket] =
    Object.entries(data.Resources).find(([name]) => /^AuditFilesBucket[0-9A-F]{8}$/.test(name)) ?? [];
  return { id, properties: bucket?.Properties ?? {} };
};
const retentionOf = (data: Template) =>
  (archiveOf(data).properties.ObjectLockConfiguration as { readonly Rule?: object } | undefined)?.Rule;

describe('the audit archive', () => {
  it('locks each file for the years and in the mode of its configuration', () => {
    const templates = synthesizeApp();
    const retention = (Mode: string, Days: number) => ({ DefaultRetention: { Mode, Days } });
    expect(retentionOf(template(templates, 'production/Data'))).toEqual(retention('COMPLIANCE', 3_653));
    expect(retentionOf(template(templates, 'sandbox/Data'))).toEqual(retention('GOVERNANCE', 366));
  });

  it('refuses deletions, and writes without a condition, to everyone', () => {
    const data = template(synthesizeApp(), 'production/Data');
    const { id } = archiveOf(data);
    const policy = resources(data, 'AWS::S3::BucketPolicy').find(
      ({ Properties: { Bucket } }) => (Bucket as { readonly Ref?: string }).Ref === id,
    );
    const { Statement } = policy?.Properties.PolicyDocument as { readonly Statement: readonly object[] };
    const everyone = { Effect: 'Deny', Principal: { AWS: '*' } };
    expect(Statement).toContainEqual(
      expect.objectContaining({
        ...everyone,
        Action: ['s3:BypassGovernanceRetention', 's3:DeleteObject', 's3:DeleteObjectVersion'],
      }),
    );
    expect(Statement).toContainEqual(
      expect.objectContaining({
        ...everyone,
        Action: 's3:PutObject',
        Condition: { Null: { 's3:if-none-match': 'true' } },
      }),
    );
  });

  it('is replicated with its retention where another account is configured, and only there', () => {
    const { properties } = archiveOf(template(configuredApp().templates, 'sandbox/Data'));
    expect(properties.ReplicationConfiguration).toMatchObject({
      Rules: [
        {
          Status: 'Enabled',
          DeleteMarkerReplication: { Status: 'Disabled' },
          Destination: {
            Bucket: 'arn:aws:s3:::plan-audit-copy',
            Account: '310987654321',
            AccessControlTranslation: { Owner: 'Destination' },
          },
        },
      ],
    });
    const data = template(configuredApp().templates, 'sandbox/Data');
    const rights = resources(data, 'AWS::IAM::ManagedPolicy').map((each) => JSON.stringify(each.Properties));
    const replication = rights.filter((text) => text.includes('s3:ReplicateObject'));
    expect(replication).toHaveLength(1);
    expect(replication[0]).toContain('s3:GetObjectRetention');
    expect(replication[0]).not.toContain('Delete');
    expect(archiveOf(template(synthesizeApp(), 'production/Data')).properties).not.toHaveProperty(
      'ReplicationConfiguration',
    );
  });

  it('is not replicated within its own account', () => {
    const replicateTo = { bucketArn: 'arn:aws:s3:::copy', account: sandbox.account };
    expect(() => parseConfiguration('sandbox.ts', { ...sandbox, auditArchive: { replicateTo } })).toThrow(
      /auditArchive\.replicateTo\.account: expected another account/,
    );
  });
});

describe('the keys that sign seals', () => {
  it('stay when one is added, and the newest signs', () => {
    const data = template(configuredApp().templates, 'sandbox/Data');
    const keys = Object.entries(data.Resources).filter(
      ([, { Type, Properties }]) => Type === 'AWS::KMS::Key' && Properties.KeySpec === 'ECC_NIST_P256',
    );
    expect(keys.map(([id]) => id.slice(0, -8))).toEqual(['AuditSigningKey', 'AuditSigningKey2']);
    const [first, second] = keys.map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] }));
    const environmentOf = (name: string) =>
      (
        Object.entries(data.Resources).find(([id]) => id.startsWith(`${name}Function`))?.[1].Properties
          .Environment as { readonly Variables: Record<string, unknown> }
      ).Variables;
    expect(environmentOf('AuditSeal').AUDIT_SIGNING_KEY).toEqual(second);
    expect(environmentOf('AuditVerify').AUDIT_SIGNING_KEYS).toEqual({
      'Fn::Join': ['', ['["', first, '","', second, '"]']],
    });
  });
});
