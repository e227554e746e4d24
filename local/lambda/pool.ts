/** Local Lambda: invokes a function by name or ARN, in one of the function's worker threads. */

import { randomUUID } from 'node:crypto';
import type { PublishMetric } from '../cloudwatch/metrics.ts';
import type { ServiceLimits } from '../limits/limits.ts';
import { quota } from '../limits/quotas.ts';
import { type AliasTarget, aliasRoutes, type Share } from './alias-routes.ts';
import { type Endpoints, functionEnvironment } from './environment.ts';
import {
  type ExecutionEnvironment,
  type InvocationResult,
  startExecutionEnvironment,
} from './execution-environment.ts';
import type { FunctionAlias, LambdaFunction } from './functions.ts';

/** No function has this name or ARN (`ResourceNotFoundException`). */
export class FunctionNotFound extends Error {
  override readonly name = 'FunctionNotFound';
}

/** Lambda refuses the call: the function's reserved concurrency is exhausted, or 0 (`TooManyRequestsException`). */
export class FunctionThrottled extends Error {
  override readonly name = 'FunctionThrottled';
}

export interface Lambda {
  /**
   * Invokes a function synchronously, by its name or ARN, each also with an alias or a version. Without limits, a call beyond the function's
   * reserved concurrency waits, because this machine is slower than an AWS account. With limits it is refused as Lambda refuses it.
   *
   * @param payload JSON; the caller checks that it has at most 6 MB.
   * @throws FunctionNotFound, FunctionThrottled. Errors of the function itself are a `functionError`.
   */
  invoke(functionNameOrArn: string, payload: string): Promise<InvocationResult>;
  /**
   * Invokes a function as Step Functions does: if as many calls as the function's reserved concurrency are running or waiting for a thread,
   * the call is refused as Lambda refuses it, with limits and without.
   *
   * @throws FunctionNotFound, FunctionThrottled.
   */
  invokeWithinConcurrency(functionNameOrArn: string, payload: string): Promise<InvocationResult>;
  /** Replaces the code and configuration of a function. Calls in progress end with those that they began with. */
  update(lambda: LambdaFunction): void;
  /** Publishes a version, which gets no calls until an alias sends them. */
  publish(version: LambdaFunction & { readonly version: string }): void;
  /** Changes the versions that an alias sends calls to. Versions without an alias are ended. */
  route(aliasArn: string, shares: readonly Share[]): void;
  stop(): Promise<void>;
}

export interface LambdaOptions {
  readonly functions: readonly LambdaFunction[];
  /**
   * Aliases of functions, each with a published version.
   *
   * @default none
   */
  readonly aliases?: readonly FunctionAlias[];
  /** Returns the endpoints of the AWS stand-ins; called when a thread starts. */
  readonly endpoints: () => Endpoints;
  readonly log: (functionName: string, line: string) => void;
  /**
   * Most threads of one function at once. A further call waits instead of being refused, because the limit is this machine's and not the
   * account's concurrency.
   *
   * @default 4
   */
  readonly threadsPerFunction?: number;
  /**
   * Most idle threads of all functions; beyond them the thread that was unused for longest ends.
   *
   * @default 16
   */
  readonly idleThreads?: number;
  /**
   * The account's concurrency, of which functions reserve theirs.
   *
   * @default no limit, neither for the account nor for synchronous calls of a function
   */
  readonly limits?: Pick<ServiceLimits, 'accountConcurrency'>;
  /**
   * Gets the metrics of each function, and of all functions together.
   *
   * @default none
   */
  readonly publish?: PublishMetric;
}

/**
 * Milliseconds for which a call waits for a busy thread before a new one is started: a warm thread is usually free again in a few
 * milliseconds, and a cold start costs a tenth of a second of CPU.
 */
const patienceMs = 250;

/** A version of a function with its execution environments. */
interface Lane {
  readonly lambda: LambdaFunction;
  readonly idle: ExecutionEnvironment[];
  readonly waiting: (() => void)[];
  busy: number;
  /** Whether the version gets no more calls, so that its execution environments end after those in progress. */
  isRetired: boolean;
}

/** A call's lane, and the alias that it was called by. */
interface Routed {
  readonly lane: Lane;
  readonly target: AliasTarget | undefined;
}

/** Makes the pool that runs the functions. It sets the process's time zone to UTC, Lambda's, since threads can't have their own. */
export function createLambda(options: LambdaOptions): Lambda {
  process.env.TZ = 'UTC';
  const { functions, aliases = [], endpoints, log, threadsPerFunction = 4, idleThreads = 16 } = options;
  const { publish = () => {} } = options;
  /** Lambda publishes these metrics for each function and without dimensions for the account's Region. */
  const count = ({ lambda }: Lane, metric: string, value: number, ofAll = value) => {
    publish('AWS/Lambda', metric, { FunctionName: lambda.name }, value);
    publish('AWS/Lambda', metric, {}, ofAll);
  };
  /** Lambda publishes a function's metrics also for calls by an alias, and for the versions that it sent them to. */
  const countTarget = ({ lane: { lambda }, target }: Routed, metric: string, value: number) => {
    if (target === undefined) return;
    const ofAlias = { FunctionName: lambda.name, Resource: `${lambda.name}:${target.alias.name}` };
    publish('AWS/Lambda', metric, ofAlias, value);
    publish('AWS/Lambda', metric, { ...ofAlias, ExecutedVersion: target.version }, value);
  };
  const byName = new Map<string, Lane>();
  const byArn = new Map<string, Lane>();
  const router = aliasRoutes(aliases);
  function open(lambda: LambdaFunction): void {
    const lane: Lane = { lambda, idle: [], waiting: [], busy: 0, isRetired: false };
    const { version } = lambda;
    const arn = version === undefined ? lambda.arn : `${lambda.arn}:${version}`;
    const before = byArn.get(arn);
    byArn.set(arn, lane);
    if (version === undefined) byName.set(lambda.name, lane);
    if (before !== undefined) retire(before);
  }
  /** All versions of a function, which share its reserved concurrency. */
  const lanesOf = ({ lambda: { name } }: Lane) =>
    [...byArn.values()].filter(({ lambda }) => lambda.name === name);
  /** Idle execution environments, those unused for longest first. */
  const idle = new Map<ExecutionEnvironment, Lane>();
  const all = new Set<ExecutionEnvironment>();

  function take(lane: Lane): ExecutionEnvironment {
    for (let sandbox = lane.idle.pop(); sandbox !== undefined; sandbox = lane.idle.pop()) {
      idle.delete(sandbox);
      if (!sandbox.ended) return sandbox;
      all.delete(sandbox);
    }
    const { lambda } = lane;
    const started = startExecutionEnvironment(lambda, functionEnvironment(lambda, endpoints()), (line) =>
      log(lambda.name, line),
    );
    all.add(started);
    return started;
  }

  function giveBack(lane: Lane, sandbox: ExecutionEnvironment): void {
    if (sandbox.ended || lane.isRetired) {
      all.delete(sandbox);
      sandbox.end();
    } else {
      lane.idle.push(sandbox);
      idle.set(sandbox, lane);
    }
    for (const [oldest, owner] of idle) {
      if (idle.size <= idleThreads) break;
      idle.delete(oldest);
      owner.idle.splice(owner.idle.indexOf(oldest), 1);
      all.delete(oldest);
      oldest.end();
    }
  }

  function retire(lane: Lane): void {
    lane.isRetired = true;
    for (const sandbox of lane.idle.splice(0)) {
      idle.delete(sandbox);
      all.delete(sandbox);
      sandbox.end();
    }
  }

  /** Waits until another thread may run, and counts it in `busy`. */
  async function admitted(lane: Lane): Promise<void> {
    const most = Math.min(threadsPerFunction, lane.lambda.reservedConcurrency ?? threadsPerFunction);
    if (lane.busy === 0 || (lane.busy < most && lane.idle.length > 0)) {
      lane.busy += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      const grow = () => {
        if (lane.busy >= most) return;
        lane.waiting.splice(lane.waiting.indexOf(enter), 1);
        lane.busy += 1;
        resolve();
      };
      const timer = setTimeout(grow, patienceMs);
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      lane.waiting.push(enter);
    });
  }

  async function run(routed: Routed, payload: string): Promise<InvocationResult> {
    const { lane, target } = routed;
    await admitted(lane);
    const sandbox = take(lane);
    const startedAt = performance.now();
    count(lane, 'Invocations', 1);
    countTarget(routed, 'Invocations', 1);
    count(lane, 'ConcurrentExecutions', lane.busy, sum([...byArn.values()].map(({ busy }) => busy)));
    const functionArn = target?.alias.arn ?? lane.lambda.arn;
    try {
      const result = await sandbox.run({ requestId: randomUUID(), payload, functionArn });
      const errors = result.functionError === undefined ? 0 : 1;
      count(lane, 'Errors', errors);
      countTarget(routed, 'Errors', errors);
      count(lane, 'Duration', performance.now() - startedAt);
      return result;
    } finally {
      giveBack(lane, sandbox);
      const next = lane.waiting.shift();
      // Passes the free thread to a waiting call, or counts it as free.
      if (next === undefined) lane.busy -= 1;
      else next();
    }
  }

  function throttled(lane: Lane): FunctionThrottled {
    count(lane, 'Throttles', 1);
    return new FunctionThrottled(lane.lambda.name);
  }

  function routed(functionNameOrArn: string): Routed {
    const parts = functionNameOrArn.split(':');
    const qualifier = parts[0] === 'arn' ? parts[7] : parts[1];
    const latest = parts[0] === 'arn' ? byArn.get(functionOf(functionNameOrArn)) : byName.get(parts[0] ?? '');
    const isLatest = qualifier === undefined || qualifier === '$LATEST';
    const target = isLatest ? undefined : router.targetOf(`${latest?.lambda.arn}:${qualifier}`);
    const lane = isLatest ? latest : byArn.get(`${latest?.lambda.arn}:${target?.version ?? qualifier}`);
    if (lane === undefined) throw new FunctionNotFound(functionNameOrArn);
    if (lane.lambda.reservedConcurrency === 0) throw throttled(lane);
    return { lane, target };
  }

  const unreserved =
    options.limits === undefined ? Number.POSITIVE_INFINITY : unreservedOf(options.limits, functions);

  /**
   * Runs a call if there is free concurrency.
   *
   * @throws FunctionThrottled if the function's reserved concurrency, or the account's unreserved one for a function without a reservation,
   * is exhausted.
   */
  async function runWithinConcurrency(functionNameOrArn: string, payload: string): Promise<InvocationResult> {
    const call = routed(functionNameOrArn);
    const { lane } = call;
    const { reservedConcurrency } = lane.lambda;
    const executions = ({ busy, waiting }: Lane) => busy + waiting.length;
    const isFull =
      reservedConcurrency === undefined
        ? unreserved !== Number.POSITIVE_INFINITY &&
          sum([...byArn.values()].filter(reservesNone).map(executions)) >= unreserved
        : sum(lanesOf(lane).map(executions)) >= reservedConcurrency;
    if (isFull) throw throttled(lane);
    return await run(call, payload);
  }

  for (const lambda of functions) {
    open(lambda);
    const versions = aliases.filter(({ functionArn }) => functionArn === lambda.arn);
    for (const { version } of versions) open({ ...lambda, version });
  }

  return {
    invoke:
      options.limits === undefined
        ? async (functionNameOrArn, payload) => await run(routed(functionNameOrArn), payload)
        : runWithinConcurrency,
    invokeWithinConcurrency: runWithinConcurrency,
    update: open,
    publish: open,
    route(aliasArn, shares) {
      router.set(aliasArn, shares);
      const called = new Set(shares.map(({ version }) => `${functionOf(aliasArn)}:${version}`));
      for (const [arn, lane] of byArn) {
        if (lane.lambda.version === undefined || lane.lambda.arn !== functionOf(aliasArn) || called.has(arn))
          continue;
        byArn.delete(arn);
        retire(lane);
      }
    },
    async stop() {
      for (const sandbox of all) sandbox.end();
      all.clear();
    },
  };
}

const reservesNone = ({ lambda }: Lane) => lambda.reservedConcurrency === undefined;

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/**
 * The concurrency that an account has for functions without a reservation. All environments count as one account here, since they are
 * deployed together.
 */
function unreservedOf(
  { accountConcurrency }: Pick<ServiceLimits, 'accountConcurrency'>,
  functions: readonly LambdaFunction[],
): number {
  const reserved = sum(functions.map(({ reservedConcurrency = 0 }) => reservedConcurrency));
  // If functions reserve more than the account has, which could not be deployed, the part that Lambda always keeps is used.
  return reserved === 0
    ? accountConcurrency
    : Math.max(quota('lambdaUnreserved'), accountConcurrency - reserved);
}

/** An ARN without its qualifier. */
function functionOf(arn: string): string {
  return arn.split(':').slice(0, 7).join(':');
}
