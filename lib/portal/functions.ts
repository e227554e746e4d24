/** Construct of the portal's functions. */

import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { environmentDeadlines } from '../../lambdas/portal/catalog/environment-deadlines.ts';
import type { PortalFunction } from '../../lambdas/portal/catalog/portal-routes.ts';
import { EnvironmentFunction, type FunctionEnvironment } from '../constructs/environment-function.ts';
import type { RoleName } from '../rights/rights.ts';
import { PortalVariables } from './environment-variables.ts';
import type { PortalFunctionsProps } from './portal-data.ts';

interface FunctionProps {
  readonly name: RoleName;
  readonly reservedConcurrency: number;
  readonly environment: FunctionEnvironment;
  readonly timeoutSeconds?: number;
}

/** The functions of the portal: those behind its API, the public page "Find a doctor", and one for the operator's command line. */
export class PortalFunctions extends Construct {
  readonly serving: Readonly<Record<PortalFunction, LambdaFunction>>;
  /** Serves the public page "Find a doctor". */
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
      timeoutSeconds: environmentDeadlines.functionSeconds,
      environment: values.operations(),
    });
    new CfnOutput(scope, 'ApplicationOperationsFunctionName', { value: commandLine.functionName });
  }

  private create(id: string, props: FunctionProps): EnvironmentFunction {
    const { bundles, data } = this.props;
    return new EnvironmentFunction(this, id, { ...props, bundles, logKey: data.logKey, reach: data.reach });
  }
}
