/** Local API Gateway: evaluates the policy that an authorizer returned. */

import { compileArnPattern, compilePattern } from '../aws/iam/patterns.ts';

/** Result of a policy for the invocation of a method, by the method's ARN. */
export type AuthorizerPolicyVerdict = 'allowed' | 'denied' | 'not mentioned';
export type InvokePolicy = (methodArn: string) => AuthorizerPolicyVerdict;

/**
 * Compiles the policy document that an authorizer returned: `execute-api:Invoke` on ARNs with wildcards; a deny takes precedence.
 *
 * @returns undefined if it is not a policy document, or contains elements that an authorizer's policy must not have or that are not
 * supported here (principals, conditions).
 */
export function readPolicy(document: unknown): InvokePolicy | undefined {
  if (!isObject(document)) return undefined;
  const statements = [document.Statement].flat().map(readStatement);
  if (statements.length === 0) return undefined;
  const known = statements.filter((statement) => statement !== undefined);
  if (known.length < statements.length) return undefined;
  return (methodArn) => {
    const matching = known.filter((statement) => statement.covers(methodArn));
    if (matching.some((statement) => statement.effect === 'Deny')) return 'denied';
    return matching.length > 0 ? 'allowed' : 'not mentioned';
  };
}

function readStatement(statement: unknown) {
  if (!isObject(statement)) return undefined;
  const { Effect, Action, Resource, Condition, NotAction, NotResource } = statement;
  if (Effect !== 'Allow' && Effect !== 'Deny') return undefined;
  if (Condition !== undefined || NotAction !== undefined || NotResource !== undefined) return undefined;
  const actions = texts(Action);
  const resources = texts(Resource);
  if (actions === undefined || resources === undefined) return undefined;
  const invokes = actions.some((action) => compilePattern(action.toLowerCase())('execute-api:invoke'));
  const patterns = resources.map((resource) => (resource === '*' ? () => true : compileArnPattern(resource)));
  return {
    effect: Effect,
    covers: (methodArn: string) => invokes && patterns.some((pattern) => pattern(methodArn)),
  };
}

function texts(value: unknown): readonly string[] | undefined {
  const list = [value].flat();
  return list.length > 0 && list.every((one) => typeof one === 'string') ? list : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
