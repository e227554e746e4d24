/** Local CodeDeploy: reads how the aliases of the templates get a new version. */

import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { listOf, settingsOf } from '../assembly/settings.ts';
import { rolePolicies } from '../aws/iam/roles.ts';

/** The shift of an alias to a new version. */
export interface Shift {
  readonly aliasArn: string;
  /** Name of the function in its stack. */
  readonly name: string;
  /** Part of the calls that the new version gets at first, from 0 to 1. */
  readonly firstPart: number;
  /** Milliseconds until it gets all. */
  readonly forMs: number;
  /** Names of the alarms that end the shift, as the page of alarms shows them. */
  readonly alarms: readonly string[];
}

/**
 * Reads the shifts of a stack: the update policies of its aliases, with their deployment groups.
 *
 * @throws AssemblyError for a group that is not supported here, or whose role may not do what CodeDeploy does.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html#cfn-attributes-updatepolicy-codedeploylambdaaliasupdate
 */
export function readShifts(assembly: Assembly): readonly (Shift & { readonly stack: string })[] {
  const policiesOf = rolePolicies(assembly);
  return assembly.ofType('AWS::Lambda::Alias').flatMap((alias) => {
    const update = settingsOf(alias.updatePolicy?.CodeDeployLambdaAliasUpdate);
    if (update.DeploymentGroupName === undefined) return [];
    const group = assembly.byPhysicalId(
      String(update.DeploymentGroupName),
      'AWS::CodeDeploy::DeploymentGroup',
    );
    if (group === undefined) throw fault(alias, 'its update policy names no deployment group');
    const alarms = alarmsOf(assembly, group);
    const policies = policiesOf(String(group.properties.ServiceRoleArn));
    const functionArn = alias.arn.split(':').slice(0, 7).join(':');
    for (const [action, arn] of [
      ['lambda:GetAlias', functionArn],
      ['lambda:UpdateAlias', functionArn],
      ...alarms.map(({ arn }) => ['cloudwatch:DescribeAlarms', arn] as const),
    ] as const) {
      if (policies?.evaluate(action, arn, {}) !== 'allowed')
        throw fault(group, `its role is not allowed ${action} on ${arn}`);
    }
    return [
      {
        ...{ stack: alias.stack, aliasArn: alias.arn },
        name: alias.logicalId.replace(/^Functions|FunctionAlias.*$/g, ''),
        ...configurationOf(group),
        alarms: alarms.map(({ stack, logicalId }) => `${stack}/${logicalId}`),
      },
    ];
  });
}

function alarmsOf(assembly: Assembly, group: Resource): readonly Resource[] {
  const { Enabled, Alarms } = settingsOf(group.properties.AlarmConfiguration);
  const events = settingsOf(group.properties.AutoRollbackConfiguration).Events;
  const rollsBack = Array.isArray(events) && events.includes('DEPLOYMENT_STOP_ON_ALARM');
  if (Enabled !== true || !rollsBack)
    throw fault(group, 'a group that is not rolled back by alarms is not known on one machine');
  return listOf(Alarms).map(({ Name }) => {
    const alarm = assembly.byPhysicalId(String(Name), 'AWS::CloudWatch::Alarm');
    if (alarm === undefined) throw fault(group, `there is no alarm ${String(Name)}`);
    return alarm;
  });
}

/** @see https://docs.aws.amazon.com/codedeploy/latest/userguide/deployment-configurations.html */
function configurationOf(group: Resource): Pick<Shift, 'firstPart' | 'forMs'> {
  const name = String(group.properties.DeploymentConfigName);
  const [, percent, minutes] = /^CodeDeployDefault\.LambdaCanary(\d+)Percent(\d+)Minutes$/.exec(name) ?? [];
  if (percent === undefined || minutes === undefined)
    throw fault(group, `the deployment configuration ${name} is not known on one machine`);
  return { firstPart: Number(percent) / 100, forMs: Number(minutes) * 60_000 };
}

function fault({ stack, logicalId }: Resource, what: string): AssemblyError {
  return new AssemblyError(`stack ${stack}: ${logicalId}: ${what}`);
}
