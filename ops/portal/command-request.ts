/** Parses the options of portal commands and sends their requests. */

import * as z from 'zod/mini';
import { issueMessage } from '../../lambdas/catalog/fhir/issue-message.ts';
import {
  type OperationsAction,
  type OperationsAnswer,
  type OperationsProblem,
  type OperationsRequest,
  type OperationsResults,
  operationsRequest,
} from '../../lambdas/portal/api/operations-contract.ts';
import { UsageError } from '../command-line/command-line.ts';
import { InvocationFailed } from '../command-line/invoke.ts';
import { type CommandContext, localOptions, operatorName } from '../command-line/operation.ts';
import type { OptionName } from '../command-line/options.ts';
import { pairs } from '../command-line/table.ts';

/** Options of every command of the portal. */
export const portalOptions: readonly OptionName[] = ['operator', 'function', ...localOptions];

type Unnamed<Request> = Request extends unknown ? Omit<Request, 'operator'> : never;
/** A command's request without the operator's name, which is added when it is sent. */
export type CommandRequest<Action extends OperationsAction = OperationsAction> = Unnamed<
  Extract<OperationsRequest, { readonly action: Action }>
>;

/**
 * Validates a request with the portal's schema.
 *
 * @throws UsageError naming each option with an invalid value; nothing was sent.
 */
export function parseCommandRequest(operation: CommandContext, request: unknown): OperationsRequest {
  const named = { ...(request as object), operator: operatorName(operation) };
  const parsed = z.safeParse(operationsRequest, named);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const option = optionOf(issue.path.filter((part) => !nested.has(part)));
    return `${option}: ${issue.message === 'Invalid input' ? issueMessage(issue) : issue.message}`;
  });
  throw new UsageError(lines.join('\n'));
}

/** Members of requests that hold the values of options. */
const nested: ReadonlySet<PropertyKey> = new Set(['decision', 'person', 'incident', 'change']);

/** Name of the option for a member of the request (`--first-name` for `firstName`); the member's name if there is no such option. */
function optionOf(path: readonly PropertyKey[]): string {
  const name = path.map(String).join('.');
  if (/^(?:applicationId|accountId|operatorId|incidentId)$/.test(name)) return 'the id';
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Sends a request to the portal's function for operators.
 *
 * @param ifUnknown advice for an unknown outcome.
 * @throws InvocationFailed
 */
export async function sendCommandRequest<Request extends CommandRequest>(
  operation: CommandContext,
  request: Request,
  ifUnknown?: string,
): Promise<OperationsAnswer<Request['action']>> {
  const payload = parseCommandRequest(operation, request);
  const name = portalFunction(operation);
  try {
    return (await operation.invoke(name, payload)) as OperationsAnswer<Request['action']>;
  } catch (error) {
    if (!(error instanceof InvocationFailed) || ifUnknown === undefined) throw error;
    throw new InvocationFailed(`${error.message}\nThe outcome is unknown. ${ifUnknown}`);
  }
}

/** Sends a request. With `--dry-run` prints it, and the portal validates it without writing. */
export async function sendUnlessDryRun<Request extends CommandRequest>(
  operation: CommandContext,
  request: Request,
  ifUnknown: string,
): Promise<OperationsAnswer<Request['action']>> {
  const { values, print } = operation;
  if (values['dry-run'] !== true) return await sendCommandRequest(operation, request, ifUnknown);
  const whole = { ...request, dryRun: true };
  if (values.json !== true) print(JSON.stringify(parseCommandRequest(operation, whole), undefined, 2));
  return await sendCommandRequest(operation, whole, ifUnknown);
}

/** Name or ARN of the function to invoke: from `--function`, the environment variable, or the local system. */
export function portalFunction({ values, system, variables }: CommandContext): string {
  const found =
    values.function ??
    system?.functions.portal?.applicationOperations ??
    variables.APPLICATION_OPERATIONS_FUNCTION;
  if (found === undefined) {
    throw new UsageError(
      'no function to invoke; start the local system (npm start), or set --function or APPLICATION_OPERATIONS_FUNCTION',
    );
  }
  return found;
}

/** Text of a problem: what went wrong, and what to do. */
export function problemText(problem: OperationsProblem): string {
  const { title, detail, errors = [], state, allowed, limit, changed, checks = [] } = problem;
  const current = problem.current as { readonly version?: number } | undefined;
  const blockers = checks.filter(({ result }) => result === 'fail');
  const known = [
    ...(state === undefined ? [] : [['state', state] as const]),
    ...(allowed === undefined ? [] : [['available actions', allowed.join(', ') || 'nothing'] as const]),
    ...(limit === undefined ? [] : [['limit', String(limit)] as const]),
    ...(current?.version === undefined ? [] : [['current version', String(current.version)] as const]),
    ...(changed === undefined || changed.length === 0 ? [] : [['changed', changed.join(', ')] as const]),
  ];
  return [
    `refused: ${title}`,
    ...errors.map(({ pointer, expected }) => `  ${pointer}: ${expected}`),
    ...blockers.map((check) => `  ${check.title}: ${check.detail}`),
    ...(known.length === 0 ? [] : [pairs(known.map(([name, value]) => [`  ${name}`, value] as const))]),
    ...(errors.length === 0 ? [detail] : []),
  ].join('\n');
}

/**
 * Prints a response as JSON or text.
 *
 * @returns exit code 0 or 1
 */
export function printAnswer<Action extends OperationsAction>(
  { values, print }: CommandContext,
  answer: OperationsAnswer<Action>,
  text: (result: OperationsResults[Action]) => string,
): 0 | 1 {
  if (values.json === true) print(JSON.stringify(answer, undefined, 2));
  else print(answer.kind === 'result' ? text(answer.result) : problemText(answer.problem));
  return answer.kind === 'result' ? 0 : 1;
}

/**
 * Parses the version that a decision is about.
 *
 * @throws UsageError
 */
export function versionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError('--version must be a whole number; `show` prints it');
  return Number(text);
}
