/** Construct of a Lambda function with its role, log group and environment variables. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, RemovalPolicy, type Size } from 'aws-cdk-lib';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { environmentVariables } from '../../lambdas/catalog/environment-variables.ts';
import type { RoleName } from '../rights/rights.ts';
import { type Reach, statementsOf } from '../rights/statements.ts';
import { MissingBuildError } from './missing-build.ts';
import { createServiceRole } from './service-role.ts';

/** Values of a function's environment variables, by their names in the catalog. */
export type FunctionEnvironment = Readonly<Partial<Record<keyof typeof environmentVariables, string>>>;

export interface EnvironmentFunctionProps {
  /**
   * `<name>` of the handler file `<name>.handler.ts`, and of the function's row in `rights.ts`. The row lists all its rights, except the
   * one to write its own log.
   */
  readonly name: RoleName;
  /**
   * Physical name of the function, for callers that know it by name.
   *
   * @default a name by CloudFormation
   */
  readonly physicalName?: string;
  /** Folder with the functions that `bin/bundle.ts` bundled. */
  readonly bundles: string;
  readonly environment: FunctionEnvironment;
  /** The resources that the function's row of rights names. */
  readonly reach: Reach;
  /** Encrypts the function's log. */
  readonly logKey: IKey;
  /** Reserved concurrency. It keeps a flood of one route from using the account's whole concurrency. */
  readonly reservedConcurrency: number;
  /**
   * Timeout.
   *
   * @default 10 seconds, the longest that a caller waits for a response
   */
  readonly timeoutSeconds?: number;
  /**
   * Memory, which also determines the CPU share: below one GB a cold start takes twice as long.
   *
   * @default 1024
   */
  readonly memoryMegabytes?: number;
  /**
   * Size of the function's own disk in each instance.
   *
   * @default 512 MB
   */
  readonly ephemeralStorage?: Size;
}

/** A function of an environment or the portal, with its own role and log. */
export class EnvironmentFunction extends Construct {
  readonly function: LambdaFunction;
  /** The role's rights, except those on items of a table. */
  readonly policy: ManagedPolicy;
  readonly log: LogGroup;

  constructor(scope: Construct, id: string, props: EnvironmentFunctionProps) {
    super(scope, id);
    this.log = new LogGroup(this, 'Log', {
      encryptionKey: props.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = createServiceRole(this, 'Role', 'lambda');
    const { onItems, others } = statementsOf(this, props.name, props.reach);
    this.policy = new ManagedPolicy(this, 'Policy', {
      roles: [role],
      statements: [
        new PolicyStatement({
          effect: Effect.ALLOW,
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          resources: [this.log.logGroupArn],
        }),
        ...others,
      ],
    });
    this.function = new LambdaFunction(this, 'Function', {
      ...(props.physicalName === undefined ? {} : { functionName: props.physicalName }),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundleOf(props.bundles, props.name)),
      handler: 'index.handler',
      role,
      logGroup: this.log,
      environment: environmentOf(props.environment),
      memorySize: props.memoryMegabytes ?? 1024,
      ...(props.ephemeralStorage !== undefined && { ephemeralStorageSize: props.ephemeralStorage }),
      timeout: Duration.seconds(props.timeoutSeconds ?? 10),
      reservedConcurrentExecutions: props.reservedConcurrency,
    });
    // A function may be called while its stack is still being created, and needs its policy by then.
    this.function.node.addDependency(this.policy);
    // Rights on items get a policy of their own, because a policy has at most 6,144 characters and the partitions of six lines of business
    // are many.
    if (onItems.length > 0) {
      const policy = new ManagedPolicy(this, 'TablePolicy', { roles: [role], statements: onItems });
      this.function.node.addDependency(policy);
    }
  }
}

function bundleOf(bundles: string, name: string): string {
  const folder = join(bundles, name);
  if (existsSync(join(folder, 'index.cjs'))) return folder;
  throw new MissingBuildError(`dist/${name} is missing: run npm run bundle`);
}

function environmentOf(values: FunctionEnvironment): Record<string, string> {
  const names = Object.keys(environmentVariables) as (keyof typeof environmentVariables)[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[environmentVariables[name], value]];
    }),
  );
}
