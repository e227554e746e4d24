/** Types of a local AWS service: its operations, and the authorization of their callers. */

import * as z from 'zod/mini';
import { AwsError, NotImplemented } from './aws-error.ts';

/** Values of a request's condition keys, by key in lower case; a key without a value in the request is missing. */
export type RequestContext = Readonly<Record<string, readonly string[]>>;

/** The caller of an operation, and the check of its policies. */
export interface Caller {
  /** ARN of the assumed role session, or of the operator. */
  readonly arn: string;
  readonly account: string;
  /** Principals by which a resource's own policy may name the caller: role and account. */
  readonly principals: readonly string[];
  /** Whether all accounts on this machine belong to the caller; true for the operator. */
  readonly everyAccount?: boolean;
  /**
   * Checks the caller's policies.
   *
   * @throws AwsError `AccessDenied…` in the service's form.
   */
  authorize(action: string, resource: string, context?: RequestContext): void;
}

/** The credential scope of a signed request (Signature Version 4). */
export interface Credential {
  readonly accessKeyId: string;
  readonly region: string;
  /** Signing name of the service: `dynamodb`, `cognito-idp`, `apigateway`. */
  readonly service: string;
}

/** An operation of a stand-in: reads the input, checks the caller's policies, acts, and responds. */
export type ServiceOperation = (input: unknown, caller: Caller) => Promise<unknown>;

/** A stand-in of a service: its operations by name. Other operations are refused, never ignored. */
export interface Service {
  readonly operations: Readonly<Record<string, ServiceOperation>>;
}

interface OperationDefinition<Input> {
  /** IAM action, e.g. `kms:Encrypt`. */
  readonly action: string;
  /** ARN that the action is on, or several ARNs if the caller needs the right on each. May throw the service's "not found". */
  resource(input: Input): string | readonly string[];
  context?(input: Input): RequestContext;
  run(input: Input, caller: Caller): unknown;
}

/**
 * Makes an operation from the schema of its input. A member that the schema doesn't have is refused as not implemented, because the
 * stand-in would ignore it.
 *
 * @param invalid code of the service's validation error.
 */
export function operation<Schema extends z.ZodMiniType>(
  schema: Schema,
  definition: OperationDefinition<z.output<Schema>>,
  invalid = 'ValidationException',
): ServiceOperation {
  return async (raw, caller) => {
    const input = parse(schema, raw, invalid);
    const context = definition.context?.(input);
    for (const resource of [definition.resource(input)].flat())
      caller.authorize(definition.action, resource, context);
    return await definition.run(input, caller);
  };
}

function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  raw: unknown,
  invalid: string,
): z.output<Schema> {
  const parsed = z.safeParse(schema, raw);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      throw new NotImplemented(`parameter ${[...issue.path, issue.keys.join(', ')].join('.')}`);
    }
  }
  const paths = parsed.error.issues.map((issue) => `'${issue.path.join('.')}'`);
  throw new AwsError(
    invalid,
    `${paths.length} validation error${paths.length === 1 ? '' : 's'} detected: Value at ${paths.join(', ')} failed to satisfy constraint`,
  );
}
