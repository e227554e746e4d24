/** Stack of the backups that outlive the environment's table: a vault with a lock, a daily plan, copies elsewhere. */

import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  type IBackupVault,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Configuration } from '../config/configuration.ts';
import { acknowledgeBackupRole } from '../constructs/cdk-nag-findings.ts';
import { createKey } from '../constructs/encryption-keys.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { createServiceRole } from '../constructs/service-role.ts';

export interface RecoveryStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'alarms'>;
}

/** Time in which a vault's compliance lock can still be taken away; AWS asks for three days at least. */
const graceOfLock = Duration.days(3);
/** A backup of a table takes minutes; AWS Backup gives up one that has not begun by then. */
const startWindow = Duration.hours(1);
const completionWindow = Duration.hours(8);

/** Daily backups of the environment's table, beside point-in-time recovery (docs/recovery.md). */
export class RecoveryStack extends Stack {
  constructor(scope: Construct, id: string, props: RecoveryStackProps) {
    super(scope, id, props);
    const { data, configuration } = props;
    const vault = this.createVault(configuration.backup);
    const plan = new BackupPlan(this, 'Plan', { backupVault: vault });
    plan.addRule(this.dailyRule(configuration.backup));
    const role = createServiceRole(this, 'Role', 'backup', [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup'),
    ]);
    acknowledgeBackupRole(role);
    plan.addSelection('Table', { resources: [BackupResource.fromArn(data.table.tableArn)], role });
    data.alarms.on('BackupFailed', { dimensions: { BackupVaultName: vault.backupVaultName }, scope: this });
    new CfnOutput(this, 'BackupVaultName', { value: vault.backupVaultName });
  }

  private createVault({ keptDays, lock }: Configuration['backup']): BackupVault {
    return new BackupVault(this, 'Vault', {
      encryptionKey: createKey(this, 'VaultKey', 'Backups of the table'),
      blockRecoveryPointDeletion: true,
      lockConfiguration: {
        minRetention: Duration.days(keptDays),
        ...(lock === 'compliance' && { changeableFor: graceOfLock }),
      },
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  private dailyRule({ keptDays, copyTo }: Configuration['backup']): BackupPlanRule {
    const deleteAfter = Duration.days(keptDays);
    return new BackupPlanRule({
      ruleName: 'Daily',
      scheduleExpression: Schedule.cron({ hour: '7', minute: '0' }),
      startWindow,
      completionWindow,
      deleteAfter,
      ...(copyTo !== undefined && {
        copyActions: [{ destinationBackupVault: this.otherVault(copyTo), deleteAfter }],
      }),
    });
  }

  private otherVault(arn: string): IBackupVault {
    return BackupVault.fromBackupVaultArn(this, 'OtherVault', arn);
  }
}
