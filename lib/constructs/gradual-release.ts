/** Versions of a stack's functions, which CodeDeploy puts into service step by step, and takes back if their own alarms ring. */

import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import type { EnvironmentFunction } from './environment-function.ts';
import { createServiceRole } from './service-role.ts';

/** Name of the alias that hosts call. */
const inService = 'live';

export interface GradualReleaseProps {
  readonly functions: readonly EnvironmentFunction[];
  readonly alarms: Alarms;
  /** Name of what is released, in the alarms' texts. */
  readonly what: string;
}

/**
 * The versions of a stack's functions. Hosts call the alias `live` of each. A deployment gives a new version a tenth of the calls for five
 * minutes, then all. If an alarm rings, the aliases keep the version before, and CloudFormation rolls the stack back
 * ([decision 74](docs/decisions/0074-shift-calls-to-a-new-version.md)).
 */
export class GradualRelease extends Construct {
  private readonly aliases: ReadonlyMap<LambdaFunction, IFunction>;

  constructor(scope: Construct, id: string, { functions, alarms, what }: GradualReleaseProps) {
    super(scope, id);
    const released = functions.map((each) => ({
      ...{ id: each.node.id, log: each.log, alias: inService },
      version: each.function.currentVersion,
    }));
    const failures = alarms.release(this, what, released);
    const role = this.createRole(functions, failures);
    const application = new LambdaApplication(this, 'Application');
    this.aliases = new Map(
      functions.map((each) => {
        const alias = each.function.addAlias(inService);
        const group = new LambdaDeploymentGroup(this, `${each.node.id}Group`, {
          application,
          alias,
          role,
          deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
          alarms: [...failures],
        });
        // The defects of the new version are counted before it gets its first call.
        group.node.addDependency(each.log.node.findChild('ReleaseDefects'));
        // CDK declares the role of an alias as `IRole | undefined`, which is no optional property for TypeScript.
        return [each.function, alias as IFunction] as const;
      }),
    );
  }

  /** The function that a host calls: the alias `live`. */
  live(of: LambdaFunction): IFunction {
    const alias = this.aliases.get(of);
    if (alias === undefined) throw new Error(`${of.node.path} has no alias`);
    return alias;
  }

  /**
   * Creates the role of CodeDeploy. AWS's policy for it (`AWSCodeDeployRoleForLambdaLimited`), which CDK would add, allows it to change the
   * aliases of all functions.
   */
  private createRole(functions: readonly EnvironmentFunction[], failures: readonly Alarm[]) {
    const role = createServiceRole(this, 'Role', 'codedeploy');
    const arns = functions.map((each) => each.function.functionArn);
    new ManagedPolicy(this, 'Policy', {
      roles: [role],
      statements: [
        new PolicyStatement({
          actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
          resources: arns.flatMap((arn) => [arn, `${arn}:${inService}`]),
        }),
        new PolicyStatement({
          actions: ['cloudwatch:DescribeAlarms'],
          resources: failures.map(({ alarmArn }) => alarmArn),
        }),
      ],
    });
    return role.withoutPolicyUpdates();
  }
}
