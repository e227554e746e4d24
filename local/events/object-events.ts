/** Local EventBridge: starts state machines by S3 events. */

import { randomUUID } from 'node:crypto';
import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { roleAllows } from '../aws/iam/roles.ts';
import type { ObjectVersion } from '../aws/s3/object-store.ts';
import type { ObjectCreated } from '../aws/s3/s3.ts';
import type { PublishMetric } from '../cloudwatch/metrics.ts';
import { compileEventPattern, type EventPattern } from './event-pattern.ts';

interface PatternRule {
  readonly name: string;
  readonly matches: EventPattern;
  readonly machineArns: readonly string[];
}

interface RuleTarget {
  readonly Arn?: unknown;
  readonly RoleArn?: unknown;
  readonly [name: string]: unknown;
}

/**
 * Milliseconds after which each delivery of an object's event follows. EventBridge delivers at least once, in any order, normally within
 * seconds: `[0, 500]` delivers twice, `[60_000]` late, `[]` loses the event.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/EventBridge.html
 */
export type Deliveries = (key: string) => readonly number[];

const onceAtOnce: Deliveries = () => [0];

/**
 * Makes the handler of created objects: if the bucket sends events, it starts the state machines of matching rules.
 *
 * @param start starts an execution with an input.
 * @throws AssemblyError for a rule that could not work, or is not supported here.
 */
export function objectEvents(
  assembly: Assembly,
  start: (machineArn: string, input: string) => void,
  now: () => number,
  deliveries = onceAtOnce,
  publish: PublishMetric = () => {},
): ObjectCreated {
  const rules = assembly
    .ofType('AWS::Events::Rule')
    .filter(({ properties }) => properties.EventPattern !== undefined && properties.State !== 'DISABLED')
    .map((rule) => readRule(assembly, rule));
  return (object, reason) => {
    const bucket = assembly.byPhysicalId(object.bucket, 'AWS::S3::Bucket');
    if (bucket === undefined || !tellsEventBridge(bucket)) return;
    const event = objectCreatedEvent(bucket, object, reason, now());
    for (const { name, matches, machineArns } of rules) {
      if (!matches(event)) continue;
      for (const afterMs of deliveries(object.key)) {
        const deliver = () => {
          for (const arn of machineArns) {
            try {
              start(arn, JSON.stringify(event));
              publish('AWS/Events', 'Invocations', { RuleName: name }, 1);
            } catch {
              // The writer of the object gets no error; EventBridge counts the failed delivery.
              publish('AWS/Events', 'FailedInvocations', { RuleName: name }, 1);
            }
          }
        };
        if (afterMs === 0) deliver();
        else setTimeout(deliver, afterMs).unref();
      }
    }
  };
}

function readRule(assembly: Assembly, rule: Resource): PatternRule {
  const place = `stack ${rule.stack}: ${rule.logicalId}`;
  const targets = (rule.properties.Targets ?? []) as readonly RuleTarget[];
  const machineArns = targets.map(({ Id: _, Arn, RoleArn, ...others }) => {
    const machine = String(Arn);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new AssemblyError(`${place}: ${unknown} is not known on one machine`);
    if (assembly.byArn(machine)?.type !== 'AWS::StepFunctions::StateMachine') {
      throw new AssemblyError(`${place}: its target ${machine} is no state machine of the templates`);
    }
    const may = roleAllows(
      assembly,
      String(RoleArn),
      'events.amazonaws.com',
      'states:StartExecution',
      machine,
    );
    if (!may) throw new AssemblyError(`${place}: its role may not start ${machine}`);
    return machine;
  });
  return {
    name: rule.physicalId,
    matches: compileEventPattern(rule.properties.EventPattern, place),
    machineArns,
  };
}

function tellsEventBridge({ properties }: Resource): boolean {
  const { EventBridgeConfiguration: configuration } = (properties.NotificationConfiguration ?? {}) as {
    readonly EventBridgeConfiguration?: { readonly EventBridgeEnabled?: unknown };
  };
  return configuration !== undefined && `${configuration.EventBridgeEnabled ?? true}` === 'true';
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html */
function objectCreatedEvent(bucket: Resource, object: ObjectVersion, reason: string, now: number) {
  const { key, bytes, etag, versionId } = object;
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account: bucket.account,
    time: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: bucket.region,
    resources: [bucket.arn],
    detail: {
      version: '0',
      bucket: { name: bucket.physicalId },
      object: { key, size: bytes, etag: etag.replaceAll('"', ''), 'version-id': versionId },
      requester: bucket.account,
      reason,
    },
  };
}
