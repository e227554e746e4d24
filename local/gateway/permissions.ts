/** Local API Gateway: resource policies of functions. */

import type { Assembly } from '../assembly/resources.ts';
import { compileArnPattern } from '../aws/iam/patterns.ts';

/** Whether API Gateway may invoke a function with `sourceArn` as the source. */
export type InvokePermissions = (functionArn: string, sourceArn: string) => boolean;

/**
 * Evaluates the functions' resource policies (`AWS::Lambda::Permission`) for `apigateway.amazonaws.com`. Source ARNs:
 * `…:<api>/<stage>/<METHOD>/<resource path>` for a method, `…:<api>/authorizers/<id>` for an authorizer.
 */
export function readPermissions(assembly: Assembly): InvokePermissions {
  const rules = assembly.ofType('AWS::Lambda::Permission').flatMap(({ properties }) => {
    const { Action, Principal, FunctionName, SourceArn, SourceAccount } = properties;
    const invokes = Action === 'lambda:InvokeFunction' || Action === 'lambda:*';
    if (!invokes || Principal !== 'apigateway.amazonaws.com') return [];
    const source = SourceArn === undefined ? () => true : compileArnPattern(String(SourceArn));
    const account = SourceAccount === undefined ? undefined : String(SourceAccount);
    return [{ functionName: String(FunctionName), source, account }];
  });
  const names = (functionArn: string) => [functionArn, functionArn.split(':').slice(6).join(':')];
  return (functionArn, sourceArn) =>
    rules.some(
      (rule) =>
        names(functionArn).includes(rule.functionName) &&
        rule.source(sourceArn) &&
        (rule.account === undefined || sourceArn.split(':')[4] === rule.account),
    );
}
