/** CDK stage of an environment (sandbox or production). The API Gateway stage of a LOB is in `lob-stack.ts`. */

import { type Stack, Stage } from 'aws-cdk-lib';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { auditWindowIndex } from '../audit/audit-seals.ts';
import { AuthorizationStack } from '../authorization/authorization-stack.ts';
import { SubscriptionsStack } from '../clients/subscriptions-stack.ts';
import type { Configuration } from '../config/configuration.ts';
import { acknowledgeFindings } from '../constructs/cdk-nag-findings.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { tagStage } from '../constructs/tag-stage.ts';
import { LoadsStack } from '../loads/loads-stack.ts';
import { MonitoringStack } from '../monitoring/monitoring-stack.ts';
import { JobsStack } from '../payer-access/jobs-stack.ts';
import { ExchangeStack } from '../payer-exchange/exchange-stack.ts';
import { DirectoryStack } from '../provider-directory/directory-stack.ts';
import { RecoveryStack } from '../recovery/recovery-stack.ts';
import { DataStack } from './data-stack.ts';
import { LobStack } from './lob-stack.ts';

export interface EnvironmentStageProps {
  readonly configuration: Configuration;
  /** Folder with the functions that `bin/bundle.ts` bundled. */
  readonly bundles: string;
  /** AWS account of the developer portal. */
  readonly portalAwsAccount: string;
  /** Origin of the developer portal. */
  readonly portalOrigin: string;
}

/** All stacks of an environment: `cdk deploy 'sandbox/*'`. */
export class EnvironmentStage extends Stage {
  constructor(scope: Construct, props: EnvironmentStageProps) {
    const { account, region, environment, linesOfBusiness } = props.configuration;
    super(scope, environment, { env: { account, region } });
    // A stack with plan data can't be deleted before someone turns its protection off.
    const kept = { ...props, terminationProtection: true };
    const data = new DataStack(this, 'Data', kept);
    new RecoveryStack(this, 'Recovery', { ...kept, data });
    const authorization = new AuthorizationStack(this, 'Authorization', { ...props, data });
    const directory = new DirectoryStack(this, 'Directory', { ...kept, data });
    const { build, publications } = directory;
    const loads = new LoadsStack(this, 'Loads', { ...kept, data, directoryBuild: build.function });
    const jobs = new JobsStack(this, 'Jobs', { ...kept, data });
    const exchange = new ExchangeStack(this, 'Exchange', {
      ...kept,
      data,
      jobs: jobs.files,
      ingest: loads.ingest,
    });
    const lobs = linesOfBusiness.map(
      (lob) => new LobStack(this, `Lob${lob}`, { ...props, lob, data, publications, jobs }),
    );
    const callLogs = [
      ...lobs.map(({ api, lob }) => ({ log: api.accessLog, lob })),
      ...authorization.callLogs.map((log) => ({ log })),
    ];
    const subscriptions = new SubscriptionsStack(this, 'Subscriptions', {
      ...props,
      data,
      portalAwsAccount: props.portalAwsAccount,
      directoryApis: lobs.filter(({ hasDirectory }) => hasDirectory).map(({ api }) => api),
      callLogs,
      apis: [...lobs.map(({ api }) => api), authorization.tokenApi],
    });
    new MonitoringStack(this, 'Monitoring', {
      ...props,
      data,
      tableIndex: auditWindowIndex.indexName,
      loadMachine: loads.machineArn,
      logs: {
        calls: [...lobs.map(({ api }) => api), ...authorization.apis].map(({ accessLog }) => accessLog),
        functions: functionLogs(authorization, ...lobs),
        background: functionLogs(data, directory, loads, jobs, exchange, subscriptions),
      },
    });
    tagStage(this);
    acknowledgeFindings(this);
  }
}

/** The logs of all functions in these stacks. */
function functionLogs(...stacks: readonly Stack[]): readonly LogGroup[] {
  return stacks
    .flatMap((stack) => stack.node.findAll())
    .flatMap((construct) => (construct instanceof EnvironmentFunction ? construct.log : []));
}
