/** Checks the functions' reserved concurrency against the account's limit. */

import type { Stage } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { ConfigurationError } from '../config/common-fields.ts';
import { acknowledgeUnreserved } from './cdk-nag-findings.ts';

/** Concurrent executions of an account that Lambda keeps for functions without a reservation. */
const keptUnreserved = 100;

/** A stage with its account and Region, and the Lambda concurrency available there. */
export interface DeployedStage {
  readonly stage: Stage;
  readonly account: string;
  readonly region: string;
  readonly lambdaConcurrency: number | 'unreserved';
}

/**
 * Checks the reserved concurrency of all stages, by account and Region. Lambda refuses a reservation that leaves less than 100 to the
 * account's other functions, but only in the middle of a deployment. Removes the reservations of `unreserved` stages.
 *
 * @throws ConfigurationError if functions reserve more than the account has.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export function checkReservedConcurrency(placed: readonly DeployedStage[]): void {
  for (const { stage, lambdaConcurrency } of placed) {
    if (lambdaConcurrency === 'unreserved') for (const each of functionsOf(stage)) unreserve(each);
  }
  const shared = Map.groupBy(placed, ({ account, region }) => `account ${account} in ${region}`);
  for (const [place, stages] of shared) {
    const quota = Math.min(...stages.map(quotaOf));
    const reserved = stages.reduce((sum, { stage }) => sum + reservedIn(stage), 0);
    if (reserved === 0 || reserved + keptUnreserved <= quota) continue;
    const names = stages.map(({ stage }) => stage.stageName).join(', ');
    throw new ConfigurationError(
      `lambdaConcurrency: the functions of ${names} reserve ${reserved} concurrent executions, and Lambda keeps ` +
        `${keptUnreserved} unreserved, but ${place} has ${quota}. Request a higher quota (Service Quotas, AWS Lambda, ` +
        "Concurrent executions) and set it in lib/config/, or set 'unreserved' for tests.",
    );
  }
}

function quotaOf({ lambdaConcurrency }: DeployedStage): number {
  return lambdaConcurrency === 'unreserved' ? Number.POSITIVE_INFINITY : lambdaConcurrency;
}

function functionsOf(stage: Stage): readonly CfnFunction[] {
  return stage.node.findAll().filter((each) => CfnFunction.isCfnFunction(each));
}

function reservedIn(stage: Stage): number {
  return functionsOf(stage).reduce((sum, each) => sum + Number(each.reservedConcurrentExecutions ?? 0), 0);
}

function unreserve(each: CfnFunction): void {
  if (each.reservedConcurrentExecutions === undefined) return;
  each.reservedConcurrentExecutions = undefined;
  acknowledgeUnreserved(each);
}
