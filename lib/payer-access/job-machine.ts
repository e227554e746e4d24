/** Construct of the Step Functions state machine of a LOB's asynchronous jobs. */

import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledgeJobMachine } from '../constructs/cdk-nag-findings.ts';
import { createServiceRole } from '../constructs/service-role.ts';
import { createStateMachine, logDelivery, traceDelivery } from '../constructs/state-machines.ts';
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
    const machine = createStateMachine(this, {
      name,
      definition: jobDefinition(steps.functionArn),
      role,
      policy,
      log,
    });
    this.arn = machine.attrArn;
    acknowledgeJobMachine(policy);
  }
}
