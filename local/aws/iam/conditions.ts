/** Local IAM: evaluates condition operators and keys. */

import type { RequestContext } from '../protocol/service.ts';
import { compileArnPattern, compilePattern } from './patterns.ts';

/** Whether all conditions of a statement hold for a request. */
export type Conditions = (context: RequestContext) => boolean;

type Match = (pattern: string, unknown: boolean) => (value: string) => boolean;

interface Operator {
  readonly match: Match;
  /** Whether the operator is negated: it then holds if nothing matches, and also if the key is missing. */
  readonly negated: boolean;
}

const equals: Match = (pattern, unknown) =>
  pattern.includes('${') ? () => unknown : (value) => value === pattern;
const equalsIgnoringCase: Match = (pattern) => (value) => value.toLowerCase() === pattern.toLowerCase();

/** The operators that the templates use. Source: IAM User Guide, "IAM JSON policy elements: Condition operators". */
const operators: Readonly<Record<string, Operator>> = {
  StringEquals: { match: equals, negated: false },
  StringNotEquals: { match: equals, negated: true },
  StringLike: { match: compilePattern, negated: false },
  ArnLike: { match: compileArnPattern, negated: false },
  Bool: { match: equalsIgnoringCase, negated: false },
};

/** Condition keys whose values are known for every request that has them. A condition on another key can't be evaluated. */
const knownKeys =
  /^(aws:(requesttag\/.+|resourcetag\/.+|securetransport|principalarn|principalaccount|requestedregion|sourcearn|sourceaccount)|dynamodb:(leadingkeys|enclosingoperation|attributes|select)|kms:(viaservice|encryptioncontextkeys|encryptioncontext:.+)|secretsmanager:(secretid|versionstage|versionid)|ses:(fromaddress|recipients)|lambda:functionarn)$/;

/** Compiles a statement's `Condition` block: every operator and every key in it must hold. */
export function compileConditions(
  block: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  allow: boolean,
): Conditions {
  const all = Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => compileCondition(operator, key, textsOf(values), allow)),
  );
  return (context) => all.every((condition) => condition(context));
}

function compileCondition(
  name: string,
  keyAsWritten: string,
  values: readonly string[],
  allow: boolean,
): Conditions {
  const key = keyAsWritten.toLowerCase();
  const unknown = !allow;
  if (!knownKeys.test(key)) return () => unknown;
  const [, set, base = '', ifExists] = /^(?:(ForAllValues):)?(\w+?)(IfExists)?$/.exec(name) ?? [];
  if (base === 'Null') return (context) => values.includes(String(context[key] === undefined));
  const operator = operators[base];
  if (operator === undefined) return () => unknown;
  const matchers = values.map((value) => operator.match(value, unknown !== operator.negated));
  const holds = (value: string): boolean => matchers.some((match) => match(value)) !== operator.negated;
  return (context) => {
    const given = context[key];
    // ForAllValues is true for an empty set of values, which IAM's guide warns of; AWS behaves the same.
    if (set === 'ForAllValues') return (given ?? []).every(holds);
    if (given === undefined || given.length === 0)
      return ifExists !== undefined || (operator.negated && set === undefined);
    return given.every(holds);
  };
}

function textsOf(values: unknown): readonly string[] {
  return (Array.isArray(values) ? values : [values]).map(String);
}
