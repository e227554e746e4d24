import type { Assembly, Resource } from '../../assembly/resources.ts';
import { compileArnPattern } from '../iam/patterns.ts';

/**
 * Whether an `AWS::Lambda::Permission` allows a service to invoke a function for one of its resources. Source: Lambda developer guide,
 * "Granting Lambda function access to AWS services".
 */
export function mayInvoke(
  assembly: Assembly,
  principal: string,
  functionArn: string,
  sourceArn: string,
): boolean {
  return assembly
    .ofType('AWS::Lambda::Permission')
    .some(
      (permission) =>
        permission.properties.Principal === principal &&
        permission.properties.Action === 'lambda:InvokeFunction' &&
        isAbout(permission, functionArn, assembly) &&
        sourceMatches(permission, sourceArn),
    );
}

/**
 * Whether an `AWS::Lambda::Permission` allows a caller of another account to invoke a function: by the caller's role, its account, or
 * everyone. A permission with a condition on a service's resource does not apply to callers. Source: Lambda developer guide, "Granting
 * Lambda function access to other accounts".
 */
export function mayInvokeFromOutside(
  assembly: Assembly,
  principals: readonly string[],
  functionArn: string,
): boolean {
  return assembly.ofType('AWS::Lambda::Permission').some((permission) => {
    const { Action, Principal, ...conditions } = permission.properties;
    const { SourceArn, SourceAccount, PrincipalOrgID, EventSourceToken, FunctionUrlAuthType } = conditions;
    return (
      (Action === 'lambda:InvokeFunction' || Action === 'lambda:*') &&
      principals.includes(String(Principal)) &&
      [SourceArn, SourceAccount, PrincipalOrgID, EventSourceToken, FunctionUrlAuthType].every(
        (condition) => condition === undefined,
      ) &&
      isAbout(permission, functionArn, assembly)
    );
  });
}

function isAbout({ properties }: Resource, functionArn: string, assembly: Assembly): boolean {
  const named = String(properties.FunctionName);
  return named === functionArn || assembly.byPhysicalId(named, 'AWS::Lambda::Function')?.arn === functionArn;
}

function sourceMatches({ properties }: Resource, sourceArn: string): boolean {
  const { SourceArn, SourceAccount } = properties;
  const arnMatches = SourceArn === undefined || compileArnPattern(String(SourceArn))(sourceArn);
  return arnMatches && (SourceAccount === undefined || String(SourceAccount) === sourceArn.split(':')[4]);
}
