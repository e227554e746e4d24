import { throttledRetry } from '../constructs/state-machines.ts';

/** The resources that the definition refers to. */
export interface LoadDefinitionProps {
  /** ARN of the function `load-steps`. */
  readonly steps: string;
  /** ARN of the function `load-range`. */
  readonly range: string;
  /** ARN of the function `directory-build`. */
  readonly directoryBuild: string;
  /** Name of the ingest bucket. */
  readonly bucket: string;
}

/** Retries throttled and interrupted calls; every step is safe to repeat. */
const retry = [
  throttledRetry,
  {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 2,
    MaxAttempts: 4,
    BackoffRate: 2,
    MaxDelaySeconds: 60,
    JitterStrategy: 'FULL',
  },
];

/** Retries the end of a load for hours, because the LOB's next load waits until this one has ended. */
const patientRetry = retry.map((rule) => ({ ...rule, MaxAttempts: 3_000, MaxDelaySeconds: 300 }));

const failed = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Fail' }];

/**
 * The state machine that loads a drop (docs/decisions/0022), in the Amazon States Language: accept the manifest, wait for earlier loads of
 * the LOB, plan each file, load the ranges wave by wave, judge the counts, and publish the directory if one was loaded.
 *
 * @see https://states-language.net/spec.html
 */
export function loadDefinition({ steps, range, directoryBuild, bucket }: LoadDefinitionProps): object {
  const load = { 'lob.$': '$.lob', 'jobId.$': '$.jobId' };
  const step = (name: string, more: object = {}) => ({
    Type: 'Task',
    Resource: steps,
    Parameters: { step: name, ...load, ...more },
    Retry: retry,
  });
  return {
    StartAt: 'Accept',
    States: {
      Accept: {
        Type: 'Task',
        Resource: steps,
        Parameters: { step: 'accept', 'event.$': '$', 'execution.$': '$$.Execution.Id' },
        Retry: retry,
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Fail unaccepted' }],
        Next: 'Is accepted',
      },
      'Is accepted': {
        Type: 'Choice',
        Choices: [{ Variable: '$.kind', StringEquals: 'accepted', Next: 'Ask for turn' }],
        Default: 'Nothing to load',
      },
      'Ask for turn': {
        ...step('admit', { 'execution.$': '$$.Execution.Id' }),
        ResultPath: '$.turn',
        Catch: failed,
        Next: 'Has turn',
      },
      'Has turn': {
        Type: 'Choice',
        Choices: [
          { Variable: '$.turn.kind', StringEquals: 'admitted', Next: 'Plan files' },
          { Variable: '$.turn.kind', StringEquals: 'waiting', Next: 'Wait for turn' },
        ],
        Default: 'Nothing to load',
      },
      'Wait for turn': { Type: 'Wait', SecondsPath: '$.turn.seconds', Next: 'Ask for turn' },
      'Nothing to load': { Type: 'Succeed' },
      'Plan files': {
        Type: 'Map',
        Label: 'Files',
        ItemsPath: '$.files',
        MaxConcurrency: 4,
        // Distributed, so that each file is an execution of its own: a drop has up to 500 files, and the events of all their attempts would
        // exceed the 25,000 of one execution.
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: 'Plan file',
          States: {
            'Plan file': {
              ...step('plan', { 'file.$': '$.file' }),
              // A file that can't be planned does not stop the others. It has no ranges then, so that the load does not reconcile.
              Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Leave file out' }],
              End: true,
            },
            'Leave file out': { Type: 'Pass', End: true },
          },
        },
        ResultPath: null,
        Catch: failed,
        Next: 'Before the first wave',
      },
      'Before the first wave': {
        Type: 'Pass',
        Result: { wave: -1 },
        ResultPath: '$.next',
        Next: 'Next wave',
      },
      'Next wave': {
        ...step('next', { 'after.$': '$.next.wave' }),
        ResultPath: '$.next',
        Catch: failed,
        Next: 'Has wave',
      },
      'Has wave': {
        Type: 'Choice',
        Choices: [{ Variable: '$.next.kind', StringEquals: 'wave', Next: 'Load ranges' }],
        Default: 'Finish',
      },
      'Load ranges': {
        Type: 'Map',
        Label: 'Ranges',
        ItemReader: {
          Resource: 'arn:aws:states:::s3:getObject',
          ReaderConfig: { InputType: 'JSON' },
          Parameters: { Bucket: bucket, 'Key.$': '$.next.key' },
        },
        MaxConcurrencyPath: '$.next.rangesAtOnce',
        // A range that fails does not stop the others; the counts decide at the end.
        ToleratedFailurePercentage: 100,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: 'Load range',
          States: { 'Load range': { Type: 'Task', Resource: range, Retry: retry, End: true } },
        },
        ResultPath: null,
        Catch: failed,
        Next: 'Next wave',
      },
      Finish: { ...step('finish'), Catch: failed, Next: 'Is directory' },
      'Is directory': {
        Type: 'Choice',
        Choices: [{ Variable: '$.followUp', StringEquals: 'build-directory', Next: 'Build directory' }],
        Default: 'Done',
      },
      // The load has ended already. If the build fails, the last publication stays, and operators start the build again.
      'Build directory': {
        Type: 'Task',
        Resource: directoryBuild,
        Parameters: { 'lob.$': '$.lob' },
        Retry: retry,
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Build failed' }],
        End: true,
      },
      'Build failed': { Type: 'Fail', Error: 'BuildFailed' },
      Done: { Type: 'Succeed' },
      Fail: { ...step('fail'), Retry: patientRetry, Next: 'Failed' },
      // The drop has no load yet; the hourly sweep starts one.
      'Fail unaccepted': {
        Type: 'Task',
        Resource: steps,
        Parameters: { step: 'fail' },
        Retry: patientRetry,
        Next: 'Failed',
      },
      Failed: { Type: 'Fail', Error: 'LoadFailed' },
    },
  };
}
