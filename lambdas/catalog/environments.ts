import type { LineOfBusiness } from './lines-of-business.ts';

/** Names of the two environments, `sandbox` and `production`. Each has its own stacks, table, keys and members. */
export const environments = ['sandbox', 'production'] as const;

export type Environment = (typeof environments)[number];

/** Tag key on every resource of a stage, with the stage's name as value. API keys, which functions create, have the tag too. */
export const stageTag = 'member-data:stage';

/**
 * Name of an environment's `provisioning` function. It is fixed because the portal, possibly in another AWS account, invokes the function
 * by name.
 */
export function provisioningFunctionName(environment: Environment): string {
  return `member-data-${environment}-provisioning`;
}

/** Name of an environment's `job-operations` function, which is fixed because the portal invokes it by name too. */
export function jobOperationsFunctionName(environment: Environment): string {
  return `member-data-${environment}-job-operations`;
}

/** Name of an environment's `directory-operations` function, by which the portal asks what is to fix in directories. */
export function directoryOperationsFunctionName(environment: Environment): string {
  return `member-data-${environment}-directory-operations`;
}

/** Name of an environment's `load-operations` function, by which the portal asks what loads of directories left out. */
export function loadOperationsFunctionName(environment: Environment): string {
  return `member-data-${environment}-load-operations`;
}

/** Name of an environment's `exchange-operations` function, which manages exchanges with other payers. */
export function exchangeOperationsFunctionName(environment: Environment): string {
  return `member-data-${environment}-exchange-operations`;
}

/** Name of the state machine of an environment's runs with other payers. */
export function exchangeStateMachineName(environment: Environment): string {
  return `member-data-${environment}-exchange`;
}

/**
 * Name of the state machine of a LOB's asynchronous jobs. It is fixed because the stack of the sweep, which finds executions by it, is
 * deployed before the LOB's stack.
 */
export function jobStateMachineName(environment: Environment, lob: LineOfBusiness): string {
  return `member-data-${environment}-jobs-${lob}`;
}
