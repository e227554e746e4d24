/** Stack of an environment's Provider Directory: the bucket of publications, and the functions that build them and serve operators. */

import { CfnOutput, Size, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { directoryOperationsFunctionName } from '../../lambdas/catalog/environments.ts';
import { admitPortal } from '../constructs/admit-portal.ts';
import { acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { addressValues } from '../constructs/environment-variables.ts';
import { reachableParts, withResources } from '../rights/statements.ts';
import { PublicationStore } from './publication-bucket.ts';

export interface DirectoryStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'alarms'>;
  /** AWS account of the developer portal. */
  readonly portalAwsAccount: string;
}

/** Lambda's longest timeout; a build of five million roles takes less. */
const buildSeconds = 900;

/** Builds and keeps the publications of the Provider Directory (docs/decisions/0031). */
export class DirectoryStack extends Stack {
  readonly publications: PublicationStore;
  readonly build: EnvironmentFunction;

  constructor(scope: Construct, id: string, props: DirectoryStackProps) {
    super(scope, id, props);
    this.publications = new PublicationStore(this, 'Publications');
    this.build = this.createBuild(props);
    const operations = this.createOperations(props);
    acknowledgeObjects(this.build.policy, this.publications.bucket, ['*']);
    acknowledgeObjects(operations.policy, this.publications.bucket, ['*']);
    admitPortal(operations.function, props.configuration, props.portalAwsAccount);
    new CfnOutput(this, 'DirectoryOperationsFunctionName', { value: operations.function.functionName });
  }

  private createBuild({ configuration, bundles, data }: DirectoryStackProps) {
    const build = new EnvironmentFunction(this, 'DirectoryBuild', {
      name: 'directory-build',
      bundles,
      logKey: data.logKey,
      // One build for each LOB's directory.
      reservedConcurrency: 5,
      timeoutSeconds: buildSeconds,
      // During a build, names and references of the directory are in memory, and its file is on the disk.
      memoryMegabytes: configuration.directory.buildMegabytes,
      ephemeralStorage: Size.gibibytes(10),
      environment: {
        ...addressValues(configuration),
        tableName: data.table.tableName,
        publicationBucket: this.publications.bucket.bucketName,
        toleratedLossPercent: `${configuration.directory.toleratedLossPercent}`,
      },
      reach: withResources(data.reach, this.publications.resources),
    });
    data.alarms.onLog('DirectoryBuildRefused', build.log);
    data.alarms.onLog('DirectoryBuildFailed', build.log);
    data.alarms.events(build.function);
    return build;
  }

  private createOperations({ configuration, bundles, data }: DirectoryStackProps) {
    const { functionArn, functionName } = this.build.function;
    return new EnvironmentFunction(this, 'DirectoryOperations', {
      name: 'directory-operations',
      physicalName: directoryOperationsFunctionName(configuration.environment),
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 2,
      environment: {
        tableName: data.table.tableName,
        publicationBucket: this.publications.bucket.bucketName,
        directoryBuildFunction: functionName,
      },
      reach: withResources(data.reach, {
        ...this.publications.resources,
        functions: reachableParts({ 'directory-build': functionArn }),
      }),
    });
  }
}
