/** Construct: the function `portal-outbox-worker` and its schedule. */

import { Duration, type Stack } from 'aws-cdk-lib';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { PortalVariables } from './environment-variables.ts';
import type { PortalFunctionsProps } from './portal-data.ts';

/** EventBridge's shortest rate. A run lasts until shortly before the next (`outboxRound`), and reads the outbox every few seconds. */
const runEvery = Duration.minutes(1);
/** A run of 58 seconds, and its last round: three entries of each of two environments that do not answer, eleven seconds each. */
const timeoutSeconds = 130;

/** The function that carries out what the portal decided and could not carry out at once, by a schedule. */
export function createPortalOutboxWorker(scope: Stack, props: PortalFunctionsProps): void {
  const { data, bundles } = props;
  const { function: worker, log } = new EnvironmentFunction(scope, 'PortalOutboxWorker', {
    name: 'portal-outbox-worker',
    bundles,
    logKey: data.logKey,
    // One run at a time: the next continues the entries this one leaves.
    reservedConcurrency: 1,
    timeoutSeconds,
    // It is idle most of the time.
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
