/** Construct of the Step Functions state machine of a LOB's asynchronous jobs. */

import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledgeJobMachine } from '../constructs/cdk-nag-findings.ts';
import { createServiceRole } from '../constructs/service-role.ts';
import { logDelivery, traceDelivery, tracing } from '../constructs/state-machines.ts';
import { reachableParts, statementsOf } from '../rights/statements.ts';
import { jobDefinition } from './job-definition.ts';

export interface JobMachineProps {
  /** Physical name. The sweep of jobs refers to the state machine by name, because its stack is deployed earlier. */
  readonly name: string;
  /** The function `payer-jobs`. */
  readonly steps: IFunction;
  readonly log: ILogGroup;
}

export class JobMachine extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { name, steps, log }: JobMachineProps) {
    super(scope, id);
    const role = createServiceRole(this, 'Role', 'states');
    const { others } = statementsOf(this, 'job-machine', {
      names: {},
      resources: { functions: reachableParts({ 'payer-jobs': steps.functionArn }) },
    });
    const policy = new ManagedPolicy(this, 'Policy', {
      roles: [role],
      statements: [logDelivery(), traceDelivery(), ...others],
    });
    const machine = new CfnStateMachine(this, 'Machine', {
      stateMachineName: name,
      stateMachineType: 'STANDARD',
      roleArn: role.roleArn,
      definitionString: Stack.of(this).toJsonString(jobDefinition(steps.functionArn)),
      tracingConfiguration: tracing,
      loggingConfiguration: {
        level: 'ALL',
        includeExecutionData: false,
        destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: log.logGroupArn } }],
      },
    });
    machine.node.addDependency(policy);
    this.arn = machine.attrArn;
    acknowledgeJobMachine(policy);
  }
}
