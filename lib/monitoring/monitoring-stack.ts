/** Stack of what shows how an environment does: its dashboard, the saved queries of its logs, and the budget of its account. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnQueryDefinition, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { jobStateMachineName } from '../../lambdas/catalog/environments.ts';
import type { Configuration } from '../config/configuration.ts';
import { hosts } from '../config/hosts.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { createDashboard, type WatchedResources } from './dashboard.ts';
import { type QueriedLogs, queryTable } from './query-table.ts';

export interface MonitoringStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'alarms'>;
  /** Name of the table's index. */
  readonly tableIndex: string;
  /** ARN of the state machine of loads. */
  readonly loadMachine: string;
  readonly logs: Readonly<Record<QueriedLogs, readonly LogGroup[]>>;
}

/** Dashboard, saved queries and budget of an environment. Nothing depends on this stack, so that it can be deployed and deleted by itself. */
export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, props: MonitoringStackProps) {
    super(scope, id, props);
    const { environment } = props.configuration;
    const namesOf = (which: QueriedLogs) => props.logs[which].map(({ logGroupName }) => logGroupName);
    createDashboard(this, 'Dashboard', {
      name: `member-data-${environment}`,
      title: `Member Data API: ${environment}`,
      resources: this.watched(props),
      alarms: props.data.alarms,
      logsOf: namesOf,
    });
    for (const { name, logs, commands } of queryTable) {
      new CfnQueryDefinition(this, name.replaceAll(/\W/g, ''), {
        name: `member-data-${environment}/${name}`,
        queryString: commands.join('\n| '),
        logGroupNames: namesOf(logs),
      });
    }
    this.createBudget(props.configuration);
    new CfnOutput(this, 'DashboardName', { value: `member-data-${environment}` });
  }

  private watched({ configuration, data, tableIndex, loadMachine }: MonitoringStackProps): WatchedResources {
    const { environment, linesOfBusiness: lobs } = configuration;
    const { auth, token, api } = hosts(configuration);
    const { tableName } = data.table;
    const host = (name: string, ApiName: string) => ({ name, dimensions: { ApiName, Stage: environment } });
    return {
      account: [{ name: 'All', dimensions: {} }],
      host: [...lobs.map((lob) => host(lob, api(lob))), host('auth', auth), host('token', token)],
      jobs: lobs.map((lob) => ({
        name: lob,
        dimensions: { StateMachineArn: this.jobMachine(jobStateMachineName(environment, lob)) },
      })),
      loads: [{ name: 'Loads', dimensions: { StateMachineArn: loadMachine } }],
      table: [{ name: 'Table', dimensions: { TableName: tableName } }],
      tableIndex: [
        { name: 'Index', dimensions: { TableName: tableName, GlobalSecondaryIndexName: tableIndex } },
      ],
      // @see https://docs.aws.amazon.com/sns/latest/dg/sns-monitoring-using-cloudwatch.html (dimension PhoneNumber)
      texts: [{ name: 'Texts', dimensions: { PhoneNumber: 'PhoneNumberDirect' } }],
    };
  }

  private jobMachine(name: string): string {
    return `arn:${this.partition}:states:${this.region}:${this.account}:stateMachine:${name}`;
  }

  /** Creates the budget of the account's costs in a month. AWS Budgets mails at 80 % of it, and when the forecast exceeds it. */
  private createBudget({ monthlyBudgetDollars, alarmEmail }: Configuration): void {
    if (monthlyBudgetDollars === undefined || alarmEmail === undefined) return;
    const subscribers = [{ subscriptionType: 'EMAIL', address: alarmEmail }];
    const above = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold },
      subscribers,
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: monthlyBudgetDollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [above('ACTUAL', 80), above('FORECASTED', 100)],
    });
  }
}
