/** Local Secrets Manager: rotates secrets by schedule. */

import { randomUUID } from 'node:crypto';
import { AssemblyError } from '../../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import type { InvokeFunction } from '../../lambda/invocation.ts';
import { mayInvoke } from '../lambda/permissions.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { SecretStore } from './secret-store.ts';

export interface RotationSchedule {
  readonly functionArn: string;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly periodMs: number;
  /** Whether the first rotation follows immediately after creation. */
  readonly immediately: boolean;
}

export interface SecretRotation {
  scheduleOf(secretArn: string): RotationSchedule | undefined;
  /**
   * Starts a rotation and returns its version ID. The steps run in the background, as in AWS.
   *
   * @throws AwsError `InvalidRequestException` if rotation isn't configured, or another rotation is in progress.
   */
  begin(secretArn: string, versionId: string): string;
  /** Carries out all due rotations, `parallel` at a time, and waits for them. Failures are logged. */
  rotateDue(parallel: number): Promise<void>;
}

interface RotationDeps {
  readonly assembly: Assembly;
  readonly store: SecretStore;
  readonly invoke: InvokeFunction;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** The steps of a rotation function. Source: Secrets Manager User Guide, "Lambda rotation functions". */
const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/**
 * Reads the rotation schedules of the templates.
 *
 * @throws AssemblyError for a schedule that could not be deployed: there is no permission to invoke, or the expression is not supported
 * here.
 */
export function secretRotation({ assembly, store, invoke, now, log }: RotationDeps): SecretRotation {
  const schedules = new Map(
    assembly
      .ofType('AWS::SecretsManager::RotationSchedule')
      .map((resource) => [String(resource.properties.SecretId), readSchedule(resource, assembly)]),
  );
  const running = new Set<string>();

  /** The version that an interrupted or failed rotation left pending; the next rotation continues with it. */
  function pendingVersion(arn: string): string | undefined {
    const labels = store.labels(arn);
    const pending = labels.get('AWSPENDING');
    return pending === labels.get('AWSCURRENT') ? undefined : pending;
  }

  async function carryOut(arn: string, versionId: string, schedule: RotationSchedule): Promise<void> {
    if (running.has(arn)) return;
    running.add(arn);
    try {
      for (const Step of steps) {
        const event = { Step, SecretId: arn, ClientRequestToken: versionId, RotationToken: randomUUID() };
        const { functionError } = await invoke(schedule.functionArn, JSON.stringify(event));
        if (functionError !== undefined) throw new Error(`${Step}: the function failed (${functionError})`);
      }
      if (store.labels(arn).get('AWSCURRENT') !== versionId)
        throw new Error('finishSecret left AWSCURRENT where it was');
      store.recordRotation(arn);
    } catch (error) {
      log(`aws: the rotation of ${arn} failed: ${error instanceof Error ? error.message : 'unknown'}`);
    } finally {
      running.delete(arn);
    }
  }

  function stage(arn: string, versionId: string): string {
    const pending = pendingVersion(arn);
    if (pending !== undefined) return pending;
    store.put(arn, versionId, { text: null, binary: null }, ['AWSPENDING']);
    return versionId;
  }

  return {
    scheduleOf: (arn) => schedules.get(arn),
    begin(arn, versionId) {
      const schedule = schedules.get(arn);
      if (schedule === undefined)
        throw new AwsError(
          'InvalidRequestException',
          'No Lambda rotation function ARN is associated with this secret.',
        );
      const pending = pendingVersion(arn);
      void carryOut(arn, stage(arn, versionId), schedule);
      if (pending !== undefined && pending !== versionId) {
        throw new AwsError(
          'InvalidRequestException',
          "A previous rotation isn't complete. That rotation will be reattempted.",
        );
      }
      return versionId;
    },
    async rotateDue(parallel) {
      const due = [...schedules].filter(([arn, schedule]) => isDue(schedule, store.rotatedAt(arn), now()));
      const work = due[Symbol.iterator]();
      const lanes = Array.from({ length: parallel }, async () => {
        for (const [arn, schedule] of work) await carryOut(arn, stage(arn, randomUUID()), schedule);
      });
      await Promise.all(lanes);
    },
  };
}

function isDue(schedule: RotationSchedule, rotatedAt: number | undefined, now: number): boolean {
  return rotatedAt === undefined ? schedule.immediately : rotatedAt + schedule.periodMs <= now;
}

function readSchedule(resource: Resource, assembly: Assembly): RotationSchedule {
  const { RotationLambdaARN, RotationRules, RotateImmediatelyOnUpdate } = resource.properties;
  const functionArn = String(RotationLambdaARN);
  const rules = (RotationRules ?? {}) as Readonly<Record<string, unknown>>;
  const secretArn = String(resource.properties.SecretId);
  if (!mayInvoke(assembly, 'secretsmanager.amazonaws.com', functionArn, secretArn)) {
    throw new AssemblyError(
      `stack ${resource.stack}: ${resource.logicalId}: Secrets Manager may not invoke the rotation function: a Lambda permission for secretsmanager.amazonaws.com is missing`,
    );
  }
  return {
    functionArn,
    rules,
    periodMs: periodOf(rules, resource),
    immediately: String(RotateImmediatelyOnUpdate) !== 'false',
  };
}

const hourMs = 3_600_000;

function periodOf(rules: Readonly<Record<string, unknown>>, { stack, logicalId }: Resource): number {
  if (rules.AutomaticallyAfterDays !== undefined) return Number(rules.AutomaticallyAfterDays) * 24 * hourMs;
  const rate = /^rate\((\d+) (hour|day)s?\)$/.exec(String(rules.ScheduleExpression));
  if (rate === null) {
    throw new AssemblyError(
      `stack ${stack}: ${logicalId}: a rotation schedule must be AutomaticallyAfterDays or rate(…) on one machine`,
    );
  }
  return Number(rate[1]) * (rate[2] === 'day' ? 24 : 1) * hourMs;
}
