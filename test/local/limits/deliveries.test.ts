import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { objectEvents } from '../../../local/events/object-events.ts';
import { asynchronousInvocations } from '../../../local/lambda/asynchronous-invocations.ts';
import { FunctionThrottled } from '../../../local/lambda/pool.ts';
import { allow, assembly, resource } from '../aws/declarations.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the event of an object', () => {
  const machineArn = 'arn:aws:states:us-east-1:123456789012:stateMachine:loads';
  const eventsRole = resource(
    'AWS::IAM::Role',
    'Events',
    {
      AssumeRolePolicyDocument: {
        Statement: [
          { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'events.amazonaws.com' } },
        ],
      },
      Policies: [
        { PolicyName: 'start', PolicyDocument: { Statement: [allow('states:StartExecution', machineArn)] } },
      ],
    },
    { physicalId: 'events', arn: 'arn:aws:iam::123456789012:role/events' },
  );
  const resources = assembly(
    eventsRole,
    resource('AWS::StepFunctions::StateMachine', 'Loads', {}, { arn: machineArn }),
    resource('AWS::S3::Bucket', 'Ingest', {
      NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
    }),
    resource('AWS::Events::Rule', 'Manifests', {
      EventPattern: { source: ['aws.s3'] },
      Targets: [{ Id: 'Target0', Arn: machineArn, RoleArn: 'arn:aws:iam::123456789012:role/events' }],
    }),
  );

  it.each([
    ['once', [0], 1, 1],
    ['twice', [0, 500], 1, 2],
    ['late', [60_000], 0, 1],
    ['never', [], 0, 0],
  ])('comes %s where a test says so', (_name, deliveries, atOnce, inTheEnd) => {
    let started = 0;
    const created = objectEvents(
      resources,
      () => (started += 1),
      () => 0,
      () => deliveries,
    );
    const object = { bucket: 'Ingest', key: 'a/manifest.json', bytes: 2, etag: '"e"', versionId: 'v' };
    created(object as Parameters<typeof created>[0], 'PutObject');
    expect(started).toBe(atOnce);
    vi.advanceTimersByTime(120_000);
    expect(started).toBe(inTheEnd);
  });
});

describe('an event for a function without free concurrency', () => {
  const throttling = (times: number) => {
    let calls = 0;
    const lines: string[] = [];
    const events = asynchronousInvocations({
      async invoke(functionArn) {
        calls += 1;
        if (calls <= times) throw new FunctionThrottled(functionArn);
        return { payload: '{}' };
      },
      log: (line) => lines.push(line),
      afterwards: 'and nobody hears of it',
    });
    return { events, lines, calls: () => calls };
  };

  it('waits for it, ever longer, without using up its two tries', async () => {
    const { events, lines, calls } = throttling(12);
    events.send('arn', '{}');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(calls()).toBe(13);
    expect(lines).toEqual([]);
  });

  it('is dropped after six hours, and the log says so', async () => {
    const { events, lines } = throttling(Number.POSITIVE_INFINITY);
    events.send('arn', '{}');
    await vi.advanceTimersByTimeAsync(7 * 3_600_000);
    expect(lines).toEqual([
      'warning: event for arn: it was throttled for six hours and is dropped, and nobody hears of it',
    ]);
  });
});
