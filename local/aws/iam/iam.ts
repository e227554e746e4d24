/** Local IAM: evaluates policies. */

import type { RequestContext } from '../protocol/service.ts';
import { type Conditions, compileConditions } from './conditions.ts';
import { compilePattern } from './patterns.ts';

/**
 * Evaluates identity-based policies as IAM does: everything is denied, unless an `Allow` matches and no `Deny` does. It knows actions,
 * resources with wildcards, and the conditions of `conditions.ts`. If an unknown condition or a policy variable makes the result uncertain,
 * an `Allow` doesn't match and a `Deny` does: the local system may be stricter than AWS, never laxer.
 *
 * Source: IAM User Guide, "Policy evaluation logic" and "IAM JSON policy elements reference".
 */
export interface Policies {
  evaluate(action: string, resource: string, context?: RequestContext): PolicyVerdict;
}

export type PolicyVerdict = 'allowed' | 'explicitly denied' | 'not allowed';

export interface PolicyDocument {
  readonly Statement: Statement | readonly Statement[];
}

export interface Statement {
  readonly Effect: string;
  readonly Action?: string | readonly string[];
  readonly NotAction?: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly NotResource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface CompiledStatement {
  readonly allow: boolean;
  readonly action: (action: string) => boolean;
  readonly resource: (resource: string) => boolean;
  readonly conditions: Conditions;
}

/** Most (action, resource) pairs whose result is cached; a role uses a few dozen. */
const rememberedPairs = 2_000;

/**
 * Compiles policy documents, so that a call costs only a map lookup and its conditions.
 *
 * @throws Error for a statement that AWS would refuse at deployment (no Effect, no Action, no Resource).
 */
export function compilePolicies(documents: readonly PolicyDocument[]): Policies {
  const statements = documents
    .flatMap(({ Statement }) => (isList(Statement) ? Statement : [Statement]))
    .map(compileStatement);
  const remembered = new Map<string, readonly CompiledStatement[]>();

  function applicable(action: string, resource: string): readonly CompiledStatement[] {
    const pair = `${action} ${resource}`;
    const known = remembered.get(pair);
    if (known !== undefined) return known;
    const found = statements.filter(
      (statement) => statement.action(action.toLowerCase()) && statement.resource(resource),
    );
    if (remembered.size >= rememberedPairs) remembered.clear();
    remembered.set(pair, found);
    return found;
  }

  return {
    evaluate(action, resource, context = {}) {
      let verdict: PolicyVerdict = 'not allowed';
      for (const statement of applicable(action, resource)) {
        if (!statement.conditions(context)) continue;
        if (!statement.allow) return 'explicitly denied';
        verdict = 'allowed';
      }
      return verdict;
    },
  };
}

function compileStatement(statement: Statement): CompiledStatement {
  if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny') {
    throw new Error(`a policy statement's Effect is ${String(statement.Effect)}`);
  }
  const allow = statement.Effect === 'Allow';
  return {
    allow,
    action: compileElement(statement, 'Action', allow, true),
    resource: compileElement(statement, 'Resource', allow, false),
    conditions: compileConditions(statement.Condition ?? {}, allow),
  };
}

function compileElement(
  statement: Statement,
  element: 'Action' | 'Resource',
  allow: boolean,
  foldCase: boolean,
): (value: string) => boolean {
  const wanted = statement[element];
  const unwanted = statement[`Not${element}`];
  if ((wanted === undefined) === (unwanted === undefined)) {
    throw new Error(`a policy statement needs one of ${element} and Not${element}`);
  }
  // A pattern that can't be evaluated counts as the stricter result; for a negated element that is the opposite one.
  const patterns = listOf(wanted ?? unwanted).map((text) =>
    compilePattern(foldCase ? text.toLowerCase() : text, (unwanted === undefined) !== allow),
  );
  const matches = (value: string): boolean => patterns.some((pattern) => pattern(value));
  return unwanted === undefined ? matches : (value) => !matches(value);
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
