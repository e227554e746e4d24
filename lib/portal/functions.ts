/** Construct of the portal's functions. */

import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { environmentDeadlines } from '../../lambdas/portal/catalog/environment-deadlines.ts';
import type { PortalFunction } from '../../lambdas/portal/catalog/portal-routes.ts';
import { measuredEveryMinutes } from '../../lambdas/portal/catalog/status.ts';
import { EnvironmentFunction, type FunctionEnvironment } from '../constructs/environment-function.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import type { RoleName } from '../rights/rights.ts';
import { PortalVariables } from './environment-variables.ts';
import type { PortalFunctionsProps } from './portal-data.ts';

/** Longest measurement of the status: 46 calls of eight seconds, two at once, and those of two environments' functions. */
const measurementSeconds = 240;

interface FunctionProps {
  readonly name: RoleName;
  readonly reservedConcurrency: number;
  readonly environment: FunctionEnvironment;
  readonly timeoutSeconds?: number;
}

/** The functions of the portal: those behind its API, one for public pages, and one for the operator's command line and the status. */
export class PortalFunctions extends Construct {
  readonly serving: Readonly<Record<PortalFunction, LambdaFunction>>;
  /** Serves the public pages "Find a doctor" and the status. */
  readonly directory: LambdaFunction;
  private readonly props: PortalFunctionsProps;

  constructor(scope: Stack, id: string, props: PortalFunctionsProps) {
    super(scope, id);
    this.props = props;
    const values = new PortalVariables(scope, props);
    const accounts = this.create('PortalAccounts', {
      name: 'portal-accounts',
      reservedConcurrency: 20,
      environment: values.accounts(),
    });
    props.data.messages.acknowledge(accounts.policy);
    props.data.alarms.onLog('MessagesNotSent', accounts.log, { id: 'DevelopersNotReached' });
    const applications = this.create('PortalApplications', {
      name: 'portal-applications',
      reservedConcurrency: 20,
      timeoutSeconds: environmentDeadlines.functionSeconds,
      environment: values.applications(),
    });
    const operations = this.create('PortalOperations', {
      name: 'portal-operations',
      reservedConcurrency: 10,
      timeoutSeconds: environmentDeadlines.functionSeconds,
      environment: values.console(),
    });
    this.directory = this.create('PortalDirectory', {
      name: 'portal-directory',
      reservedConcurrency: 10,
      environment: values.directory(),
    }).function;
    this.serving = {
      'portal-accounts': accounts.function,
      'portal-applications': applications.function,
      'portal-operations': operations.function,
    };
    const { function: commandLine } = this.create('ApplicationOperations', {
      name: 'application-operations',
      reservedConcurrency: 2,
      timeoutSeconds: measurementSeconds,
      environment: values.operations(),
    });
    callOnSchedule(this, 'StatusMeasurement', {
      function: commandLine,
      description: 'Calls every component of the service for the status page',
      every: Duration.minutes(measuredEveryMinutes),
      action: 'measure-status',
      // The next call measures again.
      retryAttempts: 0,
      alarms: props.data.alarms,
    });
    const { function: record } = this.create('OperatorRecord', {
      name: 'operator-record',
      reservedConcurrency: 1,
      environment: { tableName: props.data.table.tableName },
    });
    new CfnOutput(scope, 'OperatorRecordFunctionName', { value: record.functionName });
    new CfnOutput(scope, 'ApplicationOperationsFunctionName', { value: commandLine.functionName });
  }

  private create(id: string, props: FunctionProps): EnvironmentFunction {
    const { bundles, data } = this.props;
    return new EnvironmentFunction(this, id, { ...props, bundles, logKey: data.logKey, reach: data.reach });
  }
}
