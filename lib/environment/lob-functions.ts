/** The functions of one LOB (the authorizer and the functions of the FHIR APIs) with their rights. */

import { Size } from 'aws-cdk-lib';
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { jobStateMachineName } from '../../lambdas/catalog/environments.ts';
import {
  type Interface,
  interfaceNames,
  offers,
  servesMembers,
} from '../../lambdas/catalog/fhir/interfaces.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../../lambdas/catalog/payer/job-kinds.ts';
import type { Configuration } from '../config/configuration.ts';
import { planIdentifiersOf } from '../config/plan-identifiers.ts';
import { acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { addressValues, tableValues } from '../constructs/environment-variables.ts';
import { GradualRelease } from '../constructs/gradual-release.ts';
import { pascalCase } from '../constructs/pascal-case.ts';
import { JobMachine } from '../payer-access/job-machine.ts';
import type { JobsStack } from '../payer-access/jobs-stack.ts';
import type { PublicationStore } from '../provider-directory/publication-bucket.ts';
import { type Reach, reachableParts, withResources } from '../rights/statements.ts';

export interface LobFunctionsProps extends EnvironmentStackProps {
  readonly lob: LineOfBusiness;
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'alarms'>;
  readonly publications: PublicationStore;
  readonly jobs: JobsStack;
  /** Origin of the developer portal. */
  readonly portalOrigin: string;
}

/** Reserved concurrency of each function: enough for the daily peak if it serves data, little if it serves metadata. */
const concurrency: Readonly<Record<Interface | 'authorizer', number>> = {
  authorizer: 40,
  'patient-access': 40,
  'payer-access': 8,
  'provider-directory': 20,
};

/** Memory, disk and timeout of the function that serves publications from its disk. Its first request downloads one. */
const directorySize = {
  memoryMegabytes: 1769,
  ephemeralStorage: Size.gibibytes(4),
  timeoutSeconds: 28,
} as const;

/** The functions of a line of business. Their roles are limited to this LOB's partitions. */
export class LobFunctions extends Construct {
  readonly authorizer: IFunction;
  private readonly jobs: JobMachine;
  private readonly interfaces: ReadonlyMap<Interface, IFunction>;

  constructor(scope: Construct, id: string, props: LobFunctionsProps) {
    super(scope, id);
    const authorizer = this.create('Authorizer', 'authorizer', props);
    const steps = this.createPayerJobs(props);
    const name = jobStateMachineName(props.configuration.environment, props.lob);
    this.jobs = new JobMachine(this, 'Jobs', { name, steps, log: props.jobs.log });
    const interfaces = interfaceNames
      .filter((name) => offers(props.lob, name))
      .map((name) => [name, this.create(pascalCase(name), name, props)] as const);
    const release = new GradualRelease(this, 'Release', {
      functions: [authorizer, ...interfaces.map(([, created]) => created)],
      alarms: props.data.alarms,
      what: props.lob,
    });
    this.authorizer = release.live(authorizer.function);
    this.interfaces = new Map(
      interfaces.map(([name, created]) => [name, release.live(created.function)] as const),
    );
  }

  /** The function that serves an interface of the LOB. */
  serving(name: Interface): IFunction {
    const found = this.interfaces.get(name);
    if (found === undefined) throw new Error(`${name} is not offered here`);
    return found;
  }

  private create(
    id: string,
    name: Interface | 'authorizer',
    { configuration, data, bundles, lob, publications, jobs, portalOrigin }: LobFunctionsProps,
  ): EnvironmentFunction {
    const isDirectory = name === 'provider-directory';
    const isPayer = name === 'payer-access';
    const created = new EnvironmentFunction(this, id, {
      name,
      bundles,
      logKey: data.logKey,
      reservedConcurrency: concurrency[name],
      environment: {
        ...environmentOf(name, configuration, data),
        ...(isDirectory && { publicationBucket: publications.bucket.bucketName }),
        ...(isPayer && {
          planIdentifiers: JSON.stringify(planIdentifiersOf(configuration)),
          portalOrigin,
        }),
        ...(isPayer && { jobBucket: jobs.files.bucket.bucketName, jobStateMachine: this.jobs.arn }),
        lineOfBusiness: lob,
      },
      reach: withResources(ofLob(data.reach, lob), {
        ...publications.resources,
        ...jobs.files.resources,
        ...(isPayer && { jobMachines: reachableParts({ [lob]: this.jobs.arn }) }),
      }),
      // The disk must hold three publications: the two that are kept, and one being downloaded.
      ...(isDirectory && { ...directorySize }),
    });
    if (isPayer) acknowledgeObjects(created.policy, jobs.files.bucket, [`${lob}/*`]);
    if (isDirectory) acknowledgeObjects(created.policy, publications.bucket, [`${lob}/*`]);
    return created;
  }

  /** Creates the function that carries out the LOB's jobs. */
  private createPayerJobs({ configuration, data, bundles, lob, jobs }: LobFunctionsProps): LambdaFunction {
    const created = new EnvironmentFunction(this, 'PayerJobs', {
      name: 'payer-jobs',
      bundles,
      logKey: data.logKey,
      reservedConcurrency: jobLimits.partsAtOnce,
      timeoutSeconds: 300,
      // Parsing and compressing need one vCPU, which comes with this much memory.
      memoryMegabytes: 1769,
      environment: {
        environment: configuration.environment,
        ...tableValues(data),
        lineOfBusiness: lob,
        jobBucket: jobs.files.bucket.bucketName,
      },
      reach: withResources(ofLob(data.reach, lob), jobs.files.resources),
    });
    acknowledgeObjects(created.policy, jobs.files.bucket, [`${lob}/*`]);
    data.alarms.onLog('JobFailed', created.log, { id: `${lob}JobFailed`, what: lob });
    return created.function;
  }
}

/** Limits the reach of a LOB's functions to its own partitions and objects. */
function ofLob({ resources }: Reach, lob: LineOfBusiness): Reach {
  return { resources, names: { '<lob>': [lob] } };
}

/** The environment variables of a function. Functions that serve no member's data don't get the table's name. */
function environmentOf(
  name: keyof typeof concurrency,
  configuration: Configuration,
  data: LobFunctionsProps['data'],
) {
  const { subscriptionKey, directoryAccess } = configuration;
  return {
    ...addressValues(configuration),
    ...(readsTable(name) ? tableValues(data) : {}),
    subscriptionKey,
    ...((name === 'provider-directory' || name === 'authorizer') && { directoryAccess }),
  };
}

function readsTable(name: keyof typeof concurrency): boolean {
  return name === 'authorizer' || servesMembers(name);
}
