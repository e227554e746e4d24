/** Stack of an environment's subscriptions: the tiers' usage plans, and the provisioning function. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import { ApiKey, Period, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Environment, provisioningFunctionName, stageTag } from '../../lambdas/catalog/environments.ts';
import { publicMeteringKey } from '../../lambdas/catalog/fhir/directory-access.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { Configuration } from '../config/configuration.ts';
import { admitPortal } from '../constructs/admit-portal.ts';
import { acknowledgeKeyWildcards } from '../constructs/cdk-nag-findings.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import type { HostApi } from '../constructs/host-api.ts';
import { type Reach, reachable, withResources } from '../rights/statements.ts';

/** A log group with calls of applications. */
export interface CallLogGroup {
  readonly log: LogGroup;
  /** The LOB of the host that writes to it; absent for a log with calls of several. */
  readonly lob?: LineOfBusiness;
}

export interface SubscriptionsStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'credentialKey'>;
  /** The metered hosts: those of the LOBs and the machine-to-machine token host. */
  readonly apis: readonly HostApi[];
  /** Logs with the calls of applications. */
  readonly callLogs: readonly CallLogGroup[];
  /** The hosts that have a Provider Directory. */
  readonly directoryApis: readonly HostApi[];
  /** AWS account of the developer portal, which may invoke `provisioning`. */
  readonly portalAwsAccount: string;
}

/** Usage plans of the applications, and the function that registers applications. */
export class SubscriptionsStack extends Stack {
  constructor(scope: Construct, id: string, props: SubscriptionsStackProps) {
    super(scope, id, props);
    const plans = new Map(
      Object.entries(props.configuration.tiers).map(([name, tier]) => [
        name,
        this.createUsagePlan(name, tier, props.apis),
      ]),
    );
    if (props.configuration.directoryAccess === 'public') this.meterPublicCalls(props);
    const provisioning = this.createProvisioning(props, plans);
    admitPortal(provisioning, props.configuration, props.portalAwsAccount);
  }

  private createUsagePlan(
    name: string,
    tier: Configuration['tiers'][string],
    apis: readonly HostApi[],
  ): UsagePlan {
    return new UsagePlan(this, `${name}Plan`, {
      description: `Applications of the tier ${name}`,
      throttle: { rateLimit: tier.requestsPerSecond, burstLimit: tier.burst },
      quota: { limit: tier.requestsPerDay, period: Period.DAY },
      apiStages: apis.map(({ deploymentStage: stage }) => ({ api: stage.restApi, stage })),
    });
  }

  /** Creates one usage plan for all calls to a public directory without a subscription key. */
  private meterPublicCalls({ configuration, directoryApis }: SubscriptionsStackProps): void {
    const { hostRequestsPerSecond, hostBurst } = configuration.rates;
    const plan = new UsagePlan(this, 'PublicDirectoryPlan', {
      description: 'Calls to the Provider Directory without a subscription key',
      throttle: { rateLimit: hostRequestsPerSecond, burstLimit: hostBurst },
      apiStages: directoryApis.map(({ deploymentStage: stage }) => ({ api: stage.restApi, stage })),
    });
    const key = new ApiKey(this, 'PublicDirectoryKey', {
      description: 'Meters calls to the Provider Directory without a subscription key; grants no access',
      value: publicMeteringKey(configuration.environment),
    });
    plan.addApiKey(key);
  }

  private createProvisioning(
    props: SubscriptionsStackProps,
    plans: ReadonlyMap<string, UsagePlan>,
  ): LambdaFunction {
    const { configuration, data, bundles, callLogs } = props;
    const planIds = Object.fromEntries([...plans].map(([name, plan]) => [name, plan.usagePlanId]));
    const { function: provisioning, policy } = new EnvironmentFunction(this, 'Provisioning', {
      name: 'provisioning',
      physicalName: provisioningFunctionName(configuration.environment),
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 5,
      environment: {
        environment: configuration.environment,
        tableName: data.table.tableName,
        resourceId: configuration.resourceId,
        credentialKeyId: data.credentialKey.keyArn,
        usagePlans: this.toJsonString(planIds),
        callLogs: this.toJsonString(
          callLogs.map(({ log, lob }) => ({ logGroup: log.logGroupName, ...(lob !== undefined && { lob }) })),
        ),
      },
      reach: withResources(data.reach, {
        callLogs: { arns: () => callLogs.map(({ log }) => log.logGroupArn) },
        ...this.keyResources([...plans.values()], configuration.environment),
      }),
    });
    acknowledgeKeyWildcards(policy, [...plans.values()]);
    new CfnOutput(this, 'ProvisioningFunctionName', { value: provisioning.functionName });
    return provisioning;
  }

  /**
   * The API keys and usage plans that `provisioning` may change.
   *
   * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonapigatewaymanagement.html
   */
  private keyResources(plans: readonly UsagePlan[], environment: Environment): Reach['resources'] {
    const control = `arn:aws:apigateway:${this.region}::`;
    const tags = `${control}/tags/${encodeURIComponent(`${control}/apikeys/`)}*`;
    // Denies access to API keys with the tag of another stage in the same account.
    const denials = ['ResourceTag', 'RequestTag'].map(
      (kind) =>
        new PolicyStatement({
          effect: Effect.DENY,
          actions: ['GET', 'PATCH', 'DELETE', 'POST', 'PUT'].map((method) => `apigateway:${method}`),
          resources: [`${control}/apikeys`, `${control}/apikeys/*`, tags],
          conditions: {
            StringNotEquals: { [`aws:${kind}/${stageTag}`]: environment },
            Null: { [`aws:${kind}/${stageTag}`]: 'false' },
          },
        }),
    );
    return {
      apiKeys: { arns: (path) => [`${control}${path}`] },
      taggedApiKeys: reachable(`${control}/apikeys/*`, {
        conditions: { StringEquals: { [`aws:ResourceTag/${stageTag}`]: environment } },
      }),
      apiKeyTags: reachable(tags, { denials }),
      usagePlans: {
        arns: (path) => plans.map(({ usagePlanId }) => `${control}/usageplans/${usagePlanId}/${path}`),
      },
    };
  }
}
