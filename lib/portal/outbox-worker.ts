/** Construct of the function `portal-outbox-worker` and its schedule. */

import { Duration, type Stack } from 'aws-cdk-lib';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { PortalVariables } from './environment-variables.ts';
import type { PortalFunctionsProps } from './portal-data.ts';

/**
 * Interval of the runs, EventBridge's shortest. A run lasts until shortly before the next (`outboxRound`), and reads the outbox every few
 * seconds.
 */
const runEvery = Duration.minutes(1);
/**
 * Longest run: 58 seconds, and then a last round with three entries for each of two environments that don't respond, eleven seconds each.
 */
const timeoutSeconds = 130;

/** Creates the scheduled function that carries out decisions of the portal that could not be carried out at once. */
export function createPortalOutboxWorker(scope: Stack, props: PortalFunctionsProps): void {
  const { data, bundles } = props;
  const { function: worker, log } = new EnvironmentFunction(scope, 'PortalOutboxWorker', {
    name: 'portal-outbox-worker',
    bundles,
    logKey: data.logKey,
    // One run at a time: the next run continues with the remaining entries.
    reservedConcurrency: 1,
    timeoutSeconds,
    // The function mostly waits, so that it needs little memory.
    memoryMegabytes: 256,
    environment: new PortalVariables(scope, props).outboxWorker(),
    reach: data.reach,
  });
  callOnSchedule(scope, 'PortalOutboxWorkerSchedule', {
    function: worker,
    description: 'Carries out the follow-ups of decisions in the portal',
    every: runEvery,
    retryAttempts: 0,
    alarms: data.alarms,
  });
  data.alarms.onFunction('PortalOutboxWorkerFailed', worker);
  data.alarms.onFunction('PortalOutboxWorkerSilent', worker);
  data.alarms.onLog('OutboxEntriesLeft', log);
}
