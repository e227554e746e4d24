import { Duration, type Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { EnvironmentFunction } from '../environment/environment-function.ts';
import type { PortalFunctionsProps } from './portal-data.ts';
import { PortalRights } from './rights.ts';
import { PortalValues } from './values.ts';

/** EventBridge's shortest rate. A run goes on until shortly before the next (`upkeepRound`), and looks every few seconds. */
const upkeepEvery = Duration.minutes(1);
/** A run of 50 seconds, and what an environment that doesn't answer adds to its last round. */
const timeoutSeconds = 90;

/** The function that carries out what the portal decided and could not carry out at once, by a schedule. */
export function createPortalUpkeep(scope: Stack, props: PortalFunctionsProps): void {
  const { data, bundles } = props;
  const { function: upkeep, log } = new EnvironmentFunction(scope, 'PortalUpkeep', {
    name: 'portal-upkeep',
    bundles,
    logKey: data.logKey,
    // One at a time: the next run takes up what this one leaves.
    reservedConcurrency: 1,
    timeoutSeconds,
    // It waits most of its time.
    memoryMegabytes: 256,
    environment: new PortalValues(scope, props).upkeep(),
    statements: new PortalRights(props).upkeep(),
  });
  new Rule(scope, 'PortalUpkeepSchedule', {
    description: 'Carries out what was decided in the portal',
    schedule: Schedule.rate(upkeepEvery),
    targets: [new FunctionTarget(upkeep, { retryAttempts: 0, maxEventAge: upkeepEvery })],
  });
  data.alarms.failures(
    'PortalUpkeepFailed',
    upkeep,
    'What was decided in the portal is not carried out',
    'portal-upkeep-failed',
  );
  data.alarms.silence('PortalUpkeepSilent', upkeep, 'Nobody looks after the portal', 'portal-upkeep-failed');
  data.alarms.logged('OutboxEntriesLeft', {
    log,
    code: 'outbox_entries_left',
    says: 'What was decided in the portal waits for half an hour',
    runbook: 'portal-upkeep-failed',
    threshold: 1,
    periods: 6,
  });
}
