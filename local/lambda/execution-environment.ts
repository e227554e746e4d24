/** Local Lambda: one execution environment, a worker thread. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LambdaFunction } from './functions.ts';
import { lineSplitter } from './line-splitter.ts';
import type { Bootstrap, FunctionError, Report, Task } from './runtime-messages.ts';

/** The result of an invocation: its JSON, and whether that is an error. */
export interface InvocationResult {
  readonly payload: string;
  readonly functionError?: 'Unhandled';
}

/**
 * An execution environment: a worker thread with the bundle loaded, which runs one invocation at a time and is frozen in
 * between. As in Lambda, work that a handler left unfinished continues with the next invocation, or never.
 */
export interface ExecutionEnvironment {
  /** Runs one invocation. It always resolves; `ended` is set afterwards if the environment failed outside its handler. */
  run(task: Omit<Task, 'deadline'>): Promise<InvocationResult>;
  readonly ended: boolean;
  end(): void;
}

/** "Lambda quotas": invocation payload, synchronous response. */
const responseLimitBytes = 6_291_556;
/** "Lambda execution environment": the init phase is limited to 10 s. */
const initLimitMs = 10_000;

export function functionError(error: FunctionError): InvocationResult {
  return { payload: JSON.stringify({ ...error, trace: [] }), functionError: 'Unhandled' };
}

export function startExecutionEnvironment(
  lambda: LambdaFunction,
  environment: Record<string, string>,
  log: (line: string) => void,
): ExecutionEnvironment {
  const given = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  // The environment's own disk, Lambda's `/tmp`, which exists as long as the environment.
  const disk = mkdtempSync(join(tmpdir(), 'lambda-'));
  const worker = new Worker(new URL('./runtime.ts', import.meta.url), {
    env: { ...environment, TMPDIR: disk },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    workerData: {
      codePath: lambda.codePath,
      handler: lambda.handler,
      isBackground: lambda.isBackground,
      given,
    } satisfies Bootstrap,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.max(64, lambda.memoryMb) },
  });
  worker.stdout.on('data', lineSplitter(log));
  worker.stderr.on('data', lineSplitter(log));

  const startedAt = performance.now();
  let isCold = true;
  let ended = false;
  let deliver: (report: Report) => void = () => {};
  const end = () => {
    ended = true;
    void worker.terminate();
  };
  const fail = (error: FunctionError) => {
    ended = true;
    deliver({ kind: 'failure', error });
  };
  const initialized = new Promise<Report>((resolve) => {
    deliver = resolve;
  });
  worker.on('message', (report: Report) => deliver(report));
  worker.on('error', (error) => {
    log(`${error.name}: ${error.message}`);
    fail({ errorType: error.name, errorMessage: error.message });
  });
  worker.on('exit', (code) => {
    rmSync(disk, { recursive: true, force: true });
    fail({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with exit status ${code}` });
  });

  /** Waits for the worker's next report; after a timeout the thread is ended. */
  async function next(report: Promise<Report>, limitMs: number, late: FunctionError): Promise<Report> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<Report>((resolve) => {
      timer = setTimeout(() => {
        end();
        resolve({ kind: 'failure', error: late });
      }, limitMs);
    });
    const first = await Promise.race([report, timeout]);
    clearTimeout(timer);
    return first;
  }

  return {
    get ended() {
      return ended;
    },
    end,
    async run({ requestId, payload, functionArn }) {
      const init = await next(initialized, initLimitMs, timedOut(requestId, initLimitMs / 1000));
      const initMs = performance.now() - startedAt;
      if (init.kind === 'broken' || init.kind === 'failure') {
        end();
        return functionError(init.error);
      }
      const answered = new Promise<Report>((resolve) => {
        deliver = resolve;
      });
      if (ended) return functionError({ errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited' });
      const limitMs = lambda.timeoutSeconds * 1000;
      // The task is counted before it is sent: a thread that finished it before it was counted would not freeze.
      Atomics.add(given, 0, 1);
      Atomics.notify(given, 0);
      worker.postMessage({ requestId, payload, functionArn, deadline: Date.now() + limitMs } satisfies Task);
      const answer = await next(answered, limitMs, timedOut(requestId, lambda.timeoutSeconds));
      // Lambda writes a report after each invocation. Here only cold starts have one, so that a log keeps more of the function's own lines.
      if (isCold) log(reportLine(lambda, requestId, performance.now() - startedAt - initMs, initMs));
      isCold = false;
      return invocationOf(answer);
    },
  };
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html (REPORT line) */
function reportLine(
  { memoryMb }: LambdaFunction,
  requestId: string,
  durationMs: number,
  initMs: number,
): string {
  const [duration, init] = [durationMs.toFixed(2), initMs.toFixed(2)];
  return `REPORT RequestId: ${requestId}\tDuration: ${duration} ms\tMemory Size: ${memoryMb} MB\tInit Duration: ${init} ms`;
}

function timedOut(requestId: string, seconds: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}

function invocationOf(report: Report): InvocationResult {
  if (report.kind === 'failure' || report.kind === 'broken') return functionError(report.error);
  const payload = report.kind === 'answer' ? report.payload : 'null';
  if (Buffer.byteLength(payload) <= responseLimitBytes) return { payload };
  return functionError({
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${responseLimitBytes} bytes).`,
  });
}
