/** Starts the whole system on one machine from the cloud assembly. */

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAssembly } from './assembly/load-assembly.ts';
import type { Assembly } from './assembly/resources.ts';
import { type VersionNumbers, versionNumbers } from './assembly/version-numbers.ts';
import type { AccountGap } from './aws/account/account-gaps.ts';
import { startAwsEndpoint } from './aws/endpoint.ts';
import { operatorAccessKeyId } from './aws/iam/callers.ts';
import { localSecretAccessKey } from './aws/iam/presigned.ts';
import { createEdge } from './cloudfront/edge.ts';
import { cloudWatch } from './cloudwatch/cloudwatch.ts';
import type { Deliveries } from './events/object-events.ts';
import { frontHosts, frontPage } from './front-page.ts';
import { openFunctionLog } from './function-log.ts';
import { type Answered, createGateway, type NamedHost, type WriteAccessLog } from './gateway/gateway.ts';
import type { GatewayRequest } from './gateway/request.ts';
import { requestLine } from './gateway/request-log.ts';
import { type HttpHost, startServer } from './gateway/server.ts';
import { inboxHandler } from './inbox/inbox-handler.ts';
import { fetchHost, inboxHost } from './inbox/inbox-host.ts';
import type { Endpoints } from './lambda/environment.ts';
import { readAliases, readFunctions } from './lambda/functions.ts';
import { createLambda, type Lambda } from './lambda/pool.ts';
import type { ServiceLimits } from './limits/limits.ts';
import { metricsPage } from './metrics-page.ts';
import { createPlanPortal, planPortalContext, planPortalPath } from './plan-portal/plan-portal.ts';
import { readShifts } from './release/deployment-groups.ts';
import { createRelease } from './release/release.ts';
import { releasePage } from './release/release-page.ts';
import { startSchedules } from './schedules/schedules.ts';
import { takeStateDirectory } from './state-directory.ts';
import { bundleIfStale, synthesize } from './synthesize.ts';

export interface SystemOptions {
  /** Folder with `cdk.json`. */
  readonly projectDirectory: string;
  /** Port of every host; 0 for any free port. */
  readonly port: number;
  readonly stateDirectory: string;
  readonly fresh?: boolean;
  /** Logs what the system does or can't do; never PHI or secrets. */
  readonly log: (line: string) => void;
  /** Logs each call. */
  readonly requestLog: (line: string) => void;
  /** Gets each line of a function's log, in addition to the log file. */
  readonly functionLog?: (line: string) => void;
  /** Logs each call to a stand-in of AWS. */
  readonly callLog?: (line: string) => void;
  readonly dynamoDbEndpoint?: string;
  /**
   * Whether members of one line of business can sign in at a stand-in of their plan's member portal.
   *
   * @default false
   */
  readonly planPortal?: boolean;
  /** Context values in addition to `configuration` and `port`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /**
   * The AWS limits that are enforced.
   *
   * @default none
   */
  readonly limits?: ServiceLimits | undefined;
  /**
   * Times at which EventBridge delivers an object's event.
   *
   * @default once, at once
   */
  readonly deliveries?: Deliveries;
  /**
   * The things that the account lacks (`npm run preflight`).
   *
   * @default none
   */
  readonly accountGaps?: ReadonlySet<AccountGap>;
  /** Folder of a cloud assembly that was synthesized for this port; absent to synthesize one. */
  readonly assemblyDirectory?: string;
  /** Changes the assembly before it is deployed, for tests of broken templates. */
  readonly change?: (assembly: Assembly) => Assembly;
}

/** The running system. */
export interface System {
  readonly port: number;
  readonly assembly: Assembly;
  /** Host names of the templates, and those of the local system itself. */
  readonly hosts: readonly NamedHost[];
  readonly awsEndpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Path of the file that describes the running system to commands (`ops`). */
  readonly systemFile: string;
  readonly invoke: Lambda['invoke'];
  /** Ends everything that it started. */
  stop(): Promise<void>;
}

/**
 * Does on one machine what `cdk deploy` and AWS do: bundles, synthesizes, deploys and serves. Requests that arrive before it is ready wait.
 *
 * @throws the error that kept it from starting; everything already started has been ended then.
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const ends: (() => Promise<void> | void)[] = [];
  // A failure to end one part must not keep the others from ending.
  const stop = async () => {
    const failures: unknown[] = [];
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0)
      throw new AggregateError(failures, 'some parts of the system did not stop cleanly');
  };
  try {
    return { ...(await start(options, ends)), stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

async function start(
  options: SystemOptions,
  ends: (() => Promise<void> | void)[],
): Promise<Omit<System, 'stop'>> {
  const { stateDirectory, log } = options;
  const ready = Promise.withResolvers<(request: GatewayRequest) => Promise<Answered>>();
  const otherHosts = new Map<string, HttpHost>();
  // Listens first, because a port in use must fail at once, and the port becomes part of the templates.
  const server = await startServer({
    port: options.port,
    answer: async (request) => (await ready.promise)(request),
    otherHosts,
    served: (served) => options.requestLog(requestLine(served)),
  });
  ends.push(server.stop);
  ends.push(takeStateDirectory(stateDirectory, options.fresh === true));
  for (const name of readdirSync(stateDirectory))
    if (name.startsWith('assembly-')) rmSync(join(stateDirectory, name), { recursive: true });
  const systemFile = join(stateDirectory, 'system.json');
  rmSync(systemFile, { force: true });

  const planPortal = planPortalOf(options, server.port);
  const versions = versionNumbers();
  const assembling = { ...options, context: { ...planPortal?.context, ...options.context } };
  const assembly = await assemble(assembling, server.port, 'assembly', versions);
  // A group that could not shift calls would be found only by the first release.
  readShifts(assembly);
  const functionLog = openFunctionLog(join(stateDirectory, 'log'), log, options.functionLog);
  ends.push(functionLog.stop);
  const functions = readFunctions(assembly);
  const watch = cloudWatch({ assembly, now: Date.now, tell: log });
  const evaluation = setInterval(watch.evaluate, alarmsEveryMs);
  ends.push(() => clearInterval(evaluation));
  const { publish } = watch;
  let keepLine: WriteAccessLog = () => {};
  let endpoints: Endpoints = { endpoint: '', dynamoDbEndpoint: '' };
  const limited = options.limits === undefined ? {} : { limits: options.limits };
  const lambda = createLambda({
    functions,
    aliases: readAliases(assembly),
    endpoints: () => endpoints,
    log(functionName, line) {
      functionLog.write(functionName, line);
      const logGroup = watch.logGroupOf(functionName);
      watch.logged(logGroup, line);
      // A function may print before the AWS services are there to keep its lines.
      keepLine(logGroup, Date.now(), line);
    },
    publish,
    ...limited,
  });
  ends.push(lambda.stop);
  const aws = await startAwsEndpoint({
    assembly,
    stateDirectory,
    invoke: lambda.invoke,
    invokeTask: lambda.invokeWithinConcurrency,
    callers: new Map(
      functions.map(({ accessKeyId, roleArn, arn, isBackground }) => [
        accessKeyId,
        { roleArn, functionArn: arn, isBackground },
      ]),
    ),
    log,
    ...limited,
    throttled: options.limits !== undefined,
    publish,
    ...(options.accountGaps === undefined ? {} : { accountGaps: options.accountGaps }),
    ...(options.deliveries === undefined ? {} : { deliveries: options.deliveries }),
    ...(options.callLog === undefined ? {} : { callLog: options.callLog }),
    ...(options.dynamoDbEndpoint === undefined ? {} : { dynamoDbEndpoint: options.dynamoDbEndpoint }),
  });
  endpoints = aws;
  keepLine = aws.writeLog;
  const awsEndpoint = aws.endpoint;
  ends.push(aws.stop);
  otherHosts.set(inboxHost, fetchHost(inboxHandler(aws.inbox)));
  const gateway = createGateway({
    assembly,
    invoke: lambda.invoke,
    apiKeys: aws.apiKeys,
    now: Date.now,
    accessLog(logGroup, timestamp, line) {
      aws.writeLog(logGroup, timestamp, line);
      watch.logged(logGroup, line);
    },
    publish,
  });
  const edge = createEdge({ assembly, gateway: gateway.answer, log });
  await aws.deploy();
  ends.push(startSchedules({ assembly, invoke: lambda.invoke, log, publish }));
  const hosts = [
    ...gateway.hosts,
    ...edge.hosts,
    { name: inboxHost, what: 'e-mail and text messages that were sent' },
  ];
  const alarms = () => {
    watch.evaluate();
    return watch.alarms();
  };
  const deployRelease = createRelease(assembly, { lambda, watch });
  const metrics = (parameters: URLSearchParams) =>
    metricsPage({ watch, alarms, readLog: aws.readLog, now: Date.now }, parameters);
  let releases = 0;
  const front = releasePage(
    {
      log,
      release: async (first, tell) => {
        releases += 1;
        const released = await assemble(assembling, server.port, `assembly-${releases}`, versions);
        return await deployRelease(released, first, tell);
      },
    },
    fetchHost(frontPage(hosts, server.port, alarms, metrics)),
  );
  for (const name of frontHosts) otherHosts.set(name, planPortal?.host(front) ?? front);
  ready.resolve((request) => (edge.serves(request.host) ? edge : gateway).answer(request));

  const credentials = { accessKeyId: operatorAccessKeyId, secretAccessKey: localSecretAccessKey };
  const { port } = server;
  const region = assembly.resources[0]?.region ?? 'us-east-1';
  const outputs = assembly.outputs();
  const described = { port, awsEndpoint, region, credentials, functions: namedFunctions(assembly), outputs };
  writeFileSync(systemFile, JSON.stringify(described, undefined, 2));
  ends.push(() => rmSync(systemFile, { force: true }));
  // The server stops first, while the services that calls in progress need are still running.
  ends.push(server.drain);
  return {
    port,
    assembly,
    hosts,
    awsEndpoint,
    credentials,
    systemFile,
    invoke: lambda.invoke,
  };
}

/** Milliseconds between evaluations of alarms. AWS evaluates each minute; here a person watches the terminal. */
const alarmsEveryMs = 10_000;

/** @param folder of the assembly in the state directory: the functions of each release run from one of their own. */
async function assemble(
  options: SystemOptions,
  port: number,
  folder: string,
  versions: VersionNumbers,
): Promise<Assembly> {
  const { projectDirectory, stateDirectory, log, change = (assembly: Assembly) => assembly } = options;
  if (options.assemblyDirectory !== undefined)
    return change(loadAssembly(options.assemblyDirectory, versions));
  const directory = join(stateDirectory, folder);
  await bundleIfStale(projectDirectory, log);
  await synthesize(projectDirectory, directory, port, options.context, log);
  return change(loadAssembly(directory, versions));
}

/** The stand-in of a member portal on the machine's own host, unless the context names the sandbox's identity providers itself. */
function planPortalOf({ planPortal = false, context = {} }: SystemOptions, port: number) {
  if (!planPortal || Object.keys(context).some((name) => name.startsWith('sandbox.federation')))
    return undefined;
  const issuer = `http://localhost:${port}${planPortalPath}`;
  const portal = createPlanPortal({ issuer, port });
  return {
    context: planPortalContext({ issuer }),
    host: (front: HttpHost): HttpHost => ({
      handle: (incoming, outgoing) =>
        (incoming.url?.startsWith(`${planPortalPath}/`) ? portal : front).handle(incoming, outgoing),
    }),
  };
}

/** The functions named in stack outputs: `ProvisioningFunctionName` of the stage `sandbox` becomes `sandbox.provisioning`. */
function namedFunctions(assembly: Assembly): Record<string, Record<string, string>> {
  const environments = new Map(assembly.resources.map(({ stack, environment }) => [stack, environment]));
  const named: Record<string, Record<string, string>> = {};
  for (const [stack, outputs] of Object.entries(assembly.outputs())) {
    const environment = environments.get(stack) ?? '';
    for (const [output, value] of Object.entries(outputs)) {
      const name = /^(\w)(\w*)FunctionName$/.exec(output);
      if (name === null) continue;
      named[environment] = { ...named[environment], [`${name[1]?.toLowerCase()}${name[2]}`]: value };
    }
  }
  return named;
}
