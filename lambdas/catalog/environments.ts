import type { LineOfBusiness } from './lines-of-business.ts';

/** Names of the two environments, `sandbox` and `production`. Each has its own stacks, table, keys and members. */
export const environments = ['sandbox', 'production'] as const;

export type Environment = (typeof environments)[number];

/** Tag key of every resource of a stage; its value is the stage's name. API keys are made at run time and are tagged with it too. */
export const stageTag = 'member-data:stage';

/** Physical name of an environment's provisioning function. It is fixed because the portal, which may have its own AWS account, invokes it by name. */
export function provisioningFunctionName(environment: Environment): string {
  return `member-data-${environment}-provisioning`;
}

/** Physical name of an environment's function for asynchronous jobs, fixed for the same reason. */
export function jobOperationsFunctionName(environment: Environment): string {
  return `member-data-${environment}-job-operations`;
}

/** Physical name of the state machine of a LOB's asynchronous jobs. It is fixed because the sweep, whose stack comes before the LOB's, finds executions by it. */
export function jobStateMachineName(environment: Environment, lob: LineOfBusiness): string {
  return `member-data-${environment}-jobs-${lob}`;
}
