/**
 * The code inside a worker thread, which does what Lambda's Node.js runtime does around a handler: it loads the deployed bundle once, and
 * then runs one invocation at a time. The handler can't reach anything of the local system.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Bootstrap, FunctionError, Report, Task } from './runtime-messages.ts';

type Handler = (event: unknown, context: object) => unknown;

const port = parentPort;
if (port === null) throw new Error('the function runtime runs in a worker thread');
const report = (message: Report) => port.postMessage(message);

function loadHandler({ codePath, handler }: Bootstrap): Handler | FunctionError {
  const dot = handler.lastIndexOf('.');
  const stem = join(codePath, handler.slice(0, dot));
  const file = ['', '.js', '.mjs', '.cjs'].map((ending) => stem + ending).find((path) => existsSync(path));
  if (file === undefined) {
    return {
      errorType: 'Runtime.ImportModuleError',
      errorMessage: `Error: Cannot find module '${handler.slice(0, dot)}'`,
    };
  }
  const loaded = createRequire(import.meta.url)(file) as Readonly<Record<string, unknown>>;
  const found = loaded[handler.slice(dot + 1)];
  if (typeof found !== 'function') {
    return { errorType: 'Runtime.HandlerNotFound', errorMessage: `${handler} is undefined or not exported` };
  }
  // The Node.js 24 runtime no longer supports handlers with a callback.
  if (found.length > 2) {
    return { errorType: 'Runtime.CallbackHandlerDeprecated', errorMessage: `${handler} must be async` };
  }
  return found as Handler;
}

function describe(error: unknown): FunctionError {
  if (error instanceof Error) return { errorType: error.name, errorMessage: error.message };
  return { errorType: typeof error, errorMessage: String(error) };
}

function contextOf(task: Task): object {
  return {
    awsRequestId: task.requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: task.functionArn,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, task.deadline - Date.now()),
  };
}

async function run(handler: Handler, task: Task): Promise<Report> {
  try {
    const result = await handler(JSON.parse(task.payload), contextOf(task));
    return { kind: 'answer', payload: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    console.error(error);
    return { kind: 'failure', error: describe(error) };
  }
}

function bootstrap(): Handler | undefined {
  try {
    const handler = loadHandler(workerData as Bootstrap);
    if (typeof handler === 'function') return handler;
    report({ kind: 'broken', error: handler });
  } catch (error) {
    console.error(error);
    report({ kind: 'broken', error: describe(error) });
  }
  return undefined;
}

/** Resolves when all output has reached the log. */
async function printed(): Promise<void> {
  const streams = [process.stdout, process.stderr].filter(({ writableLength }) => writableLength > 0);
  await Promise.all(
    streams.map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))),
  );
}

/** Number of invocations received so far, and number in progress: one or none. */
let taken = 0;
let underWay = 0;

async function serve(handler: Handler, task: Task): Promise<void> {
  taken += 1;
  underWay += 1;
  report(await run(handler, task));
  underWay -= 1;
  await printed();
  // The thread freezes only if the next invocation has not arrived while the log was written.
  if (underWay === 0) Atomics.wait((workerData as Bootstrap).given, 0, taken);
}

// Only Linux has priorities for threads; on other systems the whole process would get the priority.
if ((workerData as Bootstrap).isBackground && process.platform === 'linux') {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
const handler = bootstrap();
if (handler !== undefined) {
  port.on('message', (task: Task) => void serve(handler, task));
  report({ kind: 'ready' });
}
