/** Starts the local AWS endpoint: the stand-ins of the services, the DynamoDB engine, and the check of callers' policies. */

import { join } from 'node:path';
import type { Assembly } from '../assembly/resources.ts';
import type { PublishMetric } from '../cloudwatch/metrics.ts';
import { type Deliveries, objectEvents } from '../events/object-events.ts';
import type { ApiKeys } from '../gateway/api-keys.ts';
import type { Inbox } from '../inbox/message.ts';
import type { InvokeFunction } from '../lambda/invocation.ts';
import type { ServiceLimits } from '../limits/limits.ts';
import type { AccountGap } from './account/account-gaps.ts';
import { apiKeyStore } from './api-gateway/api-key-store.ts';
import { deployApiKeys } from './api-gateway/deploy-api-keys.ts';
import { type DatabaseEngine, databaseEngine } from './dynamodb/database-engine.ts';
import { deployTable } from './dynamodb/deploy-table.ts';
import { expirySweep } from './dynamodb/expiry.ts';
import { startDynamoDb } from './dynamodb/service.ts';
import { declaredTables } from './dynamodb/tables.ts';
import { callerDirectory, type RoleSession } from './iam/callers.ts';
import { type LogStore, openLogStore } from './logs/log-store.ts';
import { messageStore } from './messages/message-store.ts';
import { openState } from './protocol/state.ts';
import { requestRates } from './request-rates.ts';
import { objectStore } from './s3/object-store.ts';
import { deploySecrets } from './secrets-manager/deploy-secrets.ts';
import { secretRotation } from './secrets-manager/rotation.ts';
import { secretStore } from './secrets-manager/secret-store.ts';
import { listenForCalls } from './server.ts';
import { standIns } from './stand-ins.ts';
import { executions as openExecutions } from './step-functions/executions.ts';

export interface AwsEndpointDeps {
  readonly assembly: Assembly;
  /** Folder of all state that survives the process. */
  readonly stateDirectory: string;
  readonly invoke: InvokeFunction;
  /**
   * Invokes a function for a state machine; refuses the call if the function has no free concurrency.
   *
   * @default invoke
   */
  readonly invokeTask?: InvokeFunction;
  /** The role of each access key's calls, by access key ID. */
  readonly callers: ReadonlyMap<string, RoleSession>;
  /** Logs a line without secrets or personal data. */
  readonly log: (line: string) => void;
  /** Logs each call of a function or an operator. */
  readonly callLog?: (line: string) => void;
  /** Address of a DynamoDB given on the command line; absent to start the embedded engine. */
  readonly dynamoDbEndpoint?: string;
  /**
   * Whether Cognito's request rates apply.
   *
   * @default true
   */
  readonly throttled?: boolean;
  /**
   * The other AWS limits that are enforced.
   *
   * @default none
   */
  readonly limits?: ServiceLimits;
  /**
   * Times at which EventBridge delivers an object's event.
   *
   * @default once, at once
   */
  readonly deliveries?: Deliveries;
  /**
   * Gets the metrics of DynamoDB, Step Functions, EventBridge and Lambda's event queue.
   *
   * @default none
   */
  readonly publish?: PublishMetric;
  /**
   * The things that the account lacks (`npm run preflight`).
   *
   * @default none
   */
  readonly accountGaps?: ReadonlySet<AccountGap>;
  readonly now?: () => number;
}

/** The local AWS endpoint for functions and commands. */
export interface AwsEndpoint {
  /** `http://127.0.0.1:<port>`, the value of every `AWS_ENDPOINT_URL_<SERVICE>`. */
  readonly endpoint: string;
  /** DynamoDB's own address, for functions. `endpoint` also accepts DynamoDB calls, and forwards them. */
  readonly dynamoDbEndpoint: string;
  readonly apiKeys: ApiKeys;
  readonly inbox: Inbox;
  /** Writes into a log group. */
  readonly writeLog: LogStore['write'];
  /** The events of a log group in the order of time. */
  readonly readLog: LogStore['read'];
  /**
   * Creates the tables and secrets that the templates declare and that don't exist yet, and then carries out the due rotations. Functions
   * must be invocable by then.
   */
  deploy(): Promise<void>;
  stop(): Promise<void>;
}

const sweepMs = 60_000;
const usageFlushMs = 1_000;
/** Rotations at once. Each invokes one function four times, and its cold start takes a whole core. */
const parallelRotations = 2;

/**
 * Starts the endpoint.
 *
 * @throws EngineMissing if there is no DynamoDB engine for this machine; AssemblyError naming what in a template can't be run.
 */
export async function startAwsEndpoint(deps: AwsEndpointDeps): Promise<AwsEndpoint> {
  const { assembly, invoke, invokeTask = invoke, log, now = Date.now, publish = () => {} } = deps;
  const state = openState(deps.stateDirectory);
  const keys = apiKeyStore(state, now);
  const secrets = secretStore(state, now);
  const rotation = secretRotation({ assembly, store: secrets, invoke, now, log });
  const inbox = messageStore(state, now);
  const logs = openLogStore(join(deps.stateDirectory, 'log-groups'), now, undefined, log);
  const objects = objectStore(state, join(deps.stateDirectory, 's3'), now);
  const executions = openExecutions({ assembly, state, objects, invoke: invokeTask, now, log, publish });
  const objectCreated = objectEvents(assembly, executions.start, now, deps.deliveries, publish);
  const { throttled = true, accountGaps = new Set<AccountGap>() } = deps;
  const stores = { keys, secrets, rotation, inbox, logs, objects, objectCreated, executions };
  const parts = { assembly, state, ...stores, invoke, throttled, accountGaps, now, log, publish };
  const backends = standIns(parts);
  const callerOf = callerDirectory(assembly, deps.callers);
  // Reads every role now, so that a role that can't be read fails the start instead of its first call.
  for (const accessKeyId of deps.callers.keys()) callerOf(accessKeyId, 'AccessDeniedException');
  const engine = await databaseEngine(deps.stateDirectory, log, deps.dynamoDbEndpoint);
  const { limits, callLog } = deps;
  const dynamoDb = await startDynamoDb(
    {
      resources: assembly.resources,
      callers: deps.callers,
      engineEndpoint: engine.endpoint,
      ...(limits === undefined ? {} : { limits }),
    },
    { log, publish, ...(callLog === undefined ? {} : { callLog }) },
  );
  state.define('CREATE TABLE IF NOT EXISTS endpoint (port INTEGER NOT NULL)');
  const listening = await listenForCalls({
    lastPort: state.one<{ readonly port: number }>('SELECT port FROM endpoint')?.port,
    backends,
    dynamoDbEndpoint: dynamoDb.endpoint,
    callerOf,
    log,
    ...(limits === undefined ? {} : { checkRate: requestRates(now) }),
    ...(callLog === undefined ? {} : { callLog }),
  });
  state.atomically(() => {
    state.write('DELETE FROM endpoint');
    state.write('INSERT INTO endpoint VALUES (?)', listening.port);
  });
  const flushUsage = guarded(keys.flush, 'usage was not written', log);
  const timers: NodeJS.Timeout[] = [setInterval(flushUsage, usageFlushMs)];

  return {
    endpoint: listening.endpoint,
    dynamoDbEndpoint: dynamoDb.endpoint,
    apiKeys: keys,
    inbox,
    writeLog: logs.write,
    readLog: logs.read,
    async deploy() {
      await deployTables(assembly, engine);
      deployApiKeys(assembly, keys, now);
      deploySecrets(assembly, secrets);
      await rotation.rotateDue(parallelRotations);
      executions.resume();
      const sweeps = [...tablesOf(assembly)].map((table) => {
        const sweep = expirySweep(engine.endpoint, table, state);
        const what = `expired items of ${table.name} were not deleted`;
        return guarded(() => sweep(Math.floor(now() / 1_000)), what, log);
      });
      for (const sweep of sweeps) void sweep();
      timers.push(
        ...sweeps.map((sweep) => setInterval(sweep, sweepMs)),
        setInterval(
          guarded(() => rotation.rotateDue(1), 'no secret was rotated', log),
          sweepMs,
        ),
      );
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await executions.stop();
      await listening.stop();
      await dynamoDb.stop();
      await engine.stop();
      await flushUsage();
      logs.stop();
      state.close();
    },
  };
}

/** Makes background work that never ends the process: a failure is logged once, until the work succeeds again. */
function guarded(work: () => unknown, what: string, log: (line: string) => void): () => Promise<void> {
  let failing = false;
  return async () => {
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) log(`aws: ${what}: ${error instanceof Error ? error.message : 'unknown'}`);
      failing = true;
    }
  };
}

function tablesOf(assembly: Assembly) {
  return new Set(declaredTables(assembly).values());
}

async function deployTables(assembly: Assembly, engine: DatabaseEngine): Promise<void> {
  for (const table of tablesOf(assembly)) await deployTable(engine.endpoint, table);
}
