import type { Assembly, Resource } from '../assembly/resources.ts';
import { compileArnPattern } from './iam-patterns.ts';

/**
 * Whether an `AWS::Lambda::Permission` lets a service invoke a function for one of its resources.
 * Source: Lambda developer guide, "Granting Lambda function access to AWS services".
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

function isAbout({ properties }: Resource, functionArn: string, assembly: Assembly): boolean {
  const named = String(properties.FunctionName);
  return named === functionArn || assembly.byPhysicalId(named, 'AWS::Lambda::Function')?.arn === functionArn;
}

function sourceMatches({ properties }: Resource, sourceArn: string): boolean {
  const { SourceArn, SourceAccount } = properties;
  const arnMatches = SourceArn === undefined || compileArnPattern(String(SourceArn))(sourceArn);
  return arnMatches && (SourceAccount === undefined || String(SourceAccount) === sourceArn.split(':')[4]);
}
