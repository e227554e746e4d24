import { describe, expect, it } from 'vitest';
import { configuredApp } from '../configured-app.ts';
import { resources, synthesizeApp, template } from '../synthesized-app.ts';

const own = template(synthesizeApp(), 'production/Recovery');
const configured = template(configuredApp().templates, 'sandbox/Recovery');
const properties = (of: typeof own, type: string) => resources(of, type)[0]?.Properties;

describe('the backups of a table', () => {
  it('are made daily, of the environment’s table only, and kept for two weeks', () => {
    const [rule] = (properties(own, 'AWS::Backup::BackupPlan')?.BackupPlan as { BackupPlanRule: object[] })
      .BackupPlanRule;
    expect(rule).toMatchObject({
      Lifecycle: { DeleteAfterDays: 14 },
      ScheduleExpression: 'cron(0 7 * * ? *)',
    });
    expect(rule).not.toHaveProperty('CopyActions');
    const { Resources } = properties(own, 'AWS::Backup::BackupSelection')?.BackupSelection as {
      Resources: readonly unknown[];
    };
    expect(JSON.stringify(Resources)).toMatch(
      /^\[\{"Fn::ImportValue":"production-Data:[^"]*Table[^"]*Arn[^"]*"\}\]$/,
    );
  });

  it('can’t be deleted before, and an administrator may take the lock away', () => {
    const vault = properties(own, 'AWS::Backup::BackupVault');
    expect(vault?.LockConfiguration).toEqual({ MinRetentionDays: 14 });
    const [statement] = (vault?.AccessPolicy as { Statement: { Effect: string; Action: string[] }[] })
      .Statement;
    expect(statement).toMatchObject({
      Effect: 'Deny',
      Action: ['backup:DeleteRecoveryPoint', 'backup:UpdateRecoveryPointLifecycle'],
    });
    expect(resources(own, 'AWS::Backup::BackupVault')[0]?.DeletionPolicy).toBe('Retain');
  });

  it('are copied elsewhere, and locked for good, where that is configured', () => {
    expect(properties(configured, 'AWS::Backup::BackupVault')?.LockConfiguration).toEqual({
      ChangeableForDays: 3,
      MinRetentionDays: 365,
    });
    const [rule] = (
      properties(configured, 'AWS::Backup::BackupPlan')?.BackupPlan as { BackupPlanRule: object[] }
    ).BackupPlanRule;
    expect(rule).toMatchObject({
      CopyActions: [
        {
          DestinationBackupVaultArn: 'arn:aws:backup:us-east-2:510987654321:backup-vault:member-data-copies',
          Lifecycle: { DeleteAfterDays: 365 },
        },
      ],
    });
  });
});
