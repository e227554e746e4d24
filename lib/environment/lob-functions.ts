/** Functions of one LOB (the authorizer and the three FHIR APIs) with the rights of each on the table. */

import { Size } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { jobStateMachineName } from '../../lambdas/catalog/environments.ts';
import { type Interface, interfaceNames, offers, servesMembers } from '../../lambdas/catalog/interfaces.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../../lambdas/catalog/payer/job-kinds.ts';
import type { Configuration } from '../config/configuration.ts';
import { acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import { pascalCase } from '../constructs/pascal-case.ts';
import {
  addActions,
  auditPatterns,
  itemStatement,
  lookUpActions,
  partitionPatterns,
  tableKeyStatement,
} from './data-access.ts';
import type { EnvironmentData, EnvironmentStackProps } from './environment-data.ts';
import { EnvironmentFunction } from './environment-function.ts';
import { addressValues, tableValues } from './environment-variables.ts';
import { JobMachine } from './job-machine.ts';
import type { JobsStack } from './jobs-stack.ts';
import type { PublicationStore } from './publication-bucket.ts';

export interface LobFunctionsProps extends EnvironmentStackProps {
  readonly lob: LineOfBusiness;
  readonly data: Pick<EnvironmentData, 'region' | 'table' | 'tableKey' | 'logKey' | 'alarms'>;
  readonly publications: PublicationStore;
  readonly jobs: JobsStack;
}

/** Reserved concurrency of each function: enough for a day's peak for those that serve data, little for those that serve metadata. */
const concurrency: Readonly<Record<Interface | 'authorizer', number>> = {
  authorizer: 40,
  'patient-access': 40,
  'payer-access': 8,
  'provider-directory': 20,
};

/** Size of the function that has publications on its disk and pages them into its memory; a first request downloads one. */
const directorySize = {
  memoryMegabytes: 1769,
  ephemeralStorage: Size.gibibytes(4),
  timeoutSeconds: 28,
} as const;

/** The functions of a line of business. Each role is limited to this LOB's partitions. */
export class LobFunctions extends Construct {
  readonly authorizer: LambdaFunction;
  private readonly jobs: JobMachine;
  private readonly interfaces: ReadonlyMap<Interface, LambdaFunction>;

  constructor(scope: Construct, id: string, props: LobFunctionsProps) {
    super(scope, id);
    this.authorizer = this.create('Authorizer', 'authorizer', props, authorizerRights(props));
    const steps = this.createPayerJobs(props);
    const name = jobStateMachineName(props.configuration.environment, props.lob);
    this.jobs = new JobMachine(this, 'Jobs', { name, steps, log: props.jobs.log });
    this.interfaces = new Map(
      interfaceNames
        .filter((name) => offers(props.lob, name))
        .map((name) => [name, this.create(pascalCase(name), name, props, interfaceRights(name, props))]),
    );
  }

  /** The function of an interface the LOB offers. */
  serving(name: Interface): LambdaFunction {
    const found = this.interfaces.get(name);
    if (found === undefined) throw new Error(`${name} is not offered here`);
    return found;
  }

  private create(
    id: string,
    name: Interface | 'authorizer',
    { configuration, data, bundles, lob, publications, jobs }: LobFunctionsProps,
    statements: readonly PolicyStatement[],
  ): LambdaFunction {
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
        ...(isPayer && { jobBucket: jobs.files.bucket.bucketName, jobStateMachine: this.jobs.arn }),
        lineOfBusiness: lob,
      },
      statements: [
        ...statements,
        ...(isDirectory ? publications.reading(`${lob}/*`) : []),
        ...(isPayer ? this.jobRights(jobs, lob) : []),
      ],
      // Two publications are kept, and a third is downloaded beside them.
      ...(isDirectory && { ...directorySize }),
    });
    if (isPayer) acknowledgeObjects(created.policy, jobs.files.bucket, [`${lob}/*`]);
    if (isDirectory) acknowledgeObjects(created.policy, publications.bucket, [`${lob}/*`]);
    return created.function;
  }

  /** The files of the LOB's jobs, and the start of a job. */
  private jobRights(jobs: JobsStack, lob: LineOfBusiness): PolicyStatement[] {
    const start = new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.jobs.arn] });
    return [...jobs.files.using(lob), start];
  }

  /** The function that carries out the LOB's jobs. */
  private createPayerJobs({ configuration, data, bundles, lob, jobs }: LobFunctionsProps): LambdaFunction {
    const lookedUp = ['APPLICATION#*', 'MEMBER-ID#*', 'PATIENT#*', 'GRANT#*', 'RATE#*', 'JOB#*', 'JOB-LINE'];
    const added = ['GRANT#*', 'MATCHED#*', 'GROUP#*', 'JOB#*', 'JOB-LINE', 'RATE#*'];
    const changed = ['JOB#*', 'JOB-QUOTA#*', 'JOB-LINE', 'RATE#*'];
    const created = new EnvironmentFunction(this, 'PayerJobs', {
      name: 'payer-jobs',
      bundles,
      logKey: data.logKey,
      reservedConcurrency: jobLimits.partsAtOnce,
      timeoutSeconds: 300,
      // Parsing and compressing take a processor of their own, which comes with so much memory.
      memoryMegabytes: 1769,
      environment: {
        environment: configuration.environment,
        ...tableValues(data),
        lineOfBusiness: lob,
        jobBucket: jobs.files.bucket.bucketName,
      },
      statements: [
        itemStatement(data, lookUpActions, partitionPatterns([lob], lookedUp)),
        itemStatement(data, ['dynamodb:Query'], partitionPatterns([lob], ['JOB#*', 'JOB-LINE', 'PATIENT#*'])),
        itemStatement(data, addActions, [...auditPatterns([lob]), ...partitionPatterns([lob], added)]),
        itemStatement(data, ['dynamodb:UpdateItem'], partitionPatterns([lob], changed)),
        itemStatement(data, ['dynamodb:DeleteItem'], partitionPatterns([lob], ['JOB-LINE'])),
        permissionCheck(data, lob),
        tableKeyStatement(data),
        ...jobs.files.using(lob),
      ],
    });
    acknowledgeObjects(created.policy, jobs.files.bucket, [`${lob}/*`]);
    data.alarms.onLog('JobFailed', created.log, { id: `${lob}JobFailed`, what: lob });
    return created.function;
  }
}

/** The environment variables of a function; those that serve no member's data don't get the table's name. */
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

/** The lookup items of keys and applications, and the public keys both kinds of token are verified with; no member, no grant. */
function authorizerRights({ data, lob }: LobFunctionsProps): PolicyStatement[] {
  const own = partitionPatterns([lob], ['KEY#*', 'APPLICATION#*', 'JWKS']);
  return [itemStatement(data, lookUpActions, [...own, 'M2M#JWKS']), tableKeyStatement(data)];
}

/** Queries of a patient's partition, never of an index; reading of grants; adding of audit events. Payer Access has its own. */
function interfaceRights(name: Interface, props: LobFunctionsProps): PolicyStatement[] {
  if (!readsTable(name)) return [];
  if (name === 'payer-access') return matchRights(props);
  const { data, lob } = props;
  return [
    itemStatement(data, lookUpActions, partitionPatterns([lob], ['PATIENT#*', 'GRANT#*'])),
    itemStatement(data, ['dynamodb:Query'], partitionPatterns([lob], ['PATIENT#*'])),
    itemStatement(data, addActions, auditPatterns([lob])),
    tableKeyStatement(data),
  ];
}

/** The condition of a match that the member has not ended the payer's permission meanwhile. */
function permissionCheck(data: LobFunctionsProps['data'], lob: LineOfBusiness): PolicyStatement {
  return itemStatement(data, ['dynamodb:ConditionCheckItem'], partitionPatterns([lob], ['GRANT#*']));
}

/**
 * Lookups of applications, members by identifier and Patients; grants of matched payers, and counters of failed matches; groups of
 * members, and jobs.
 */
function matchRights({ data, lob }: LobFunctionsProps): PolicyStatement[] {
  const ofMembers = ['MEMBER-ID#*', 'PATIENT#*', 'GRANT#*'];
  const lookedUp = ['APPLICATION#*', ...ofMembers, 'RATE#*', 'GROUP#*', 'JOB#*', 'JOB-QUOTA#*', 'JOB-LINE'];
  const added = partitionPatterns([lob], ['GRANT#*', 'MATCHED#*', 'JOB#*', 'JOBS', 'JOB-LINE', 'RATE#*']);
  const changed = partitionPatterns([lob], ['RATE#*', 'JOB#*', 'JOB-QUOTA#*']);
  return [
    itemStatement(data, lookUpActions, partitionPatterns([lob], lookedUp)),
    itemStatement(
      data,
      ['dynamodb:Query'],
      partitionPatterns([lob], ['GRANT#*', 'MATCHED#*', 'GROUP#*', 'JOB#*', 'JOB-LINE', 'PATIENT#*']),
    ),
    itemStatement(data, addActions, [...auditPatterns([lob]), ...added]),
    itemStatement(data, ['dynamodb:UpdateItem'], changed),
    itemStatement(data, ['dynamodb:DeleteItem'], partitionPatterns([lob], ['JOB-LINE'])),
    permissionCheck(data, lob),
    tableKeyStatement(data),
  ];
}
