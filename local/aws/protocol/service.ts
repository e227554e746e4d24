/** Interface of a local AWS service: its operations and their authorization. */

import * as z from 'zod/mini';
import { AwsError, NotImplemented } from './aws-error.ts';

/** Values of a request by condition key, in lowercase. A missing key is one the request doesn't have. */
export type RequestContext = Readonly<Record<string, readonly string[]>>;

/** The caller of an operation, and the check of its policies. */
export interface Caller {
  /** ARN of the assumed role session, or of the operator. */
  readonly arn: string;
  readonly account: string;
  /** Principals by which a resource's own policy may name the caller: role and account. */
  readonly principals: readonly string[];
  /** Whether every account on this machine is the caller's own: the operator's. */
  readonly everyAccount?: boolean;
  /** @throws AwsError `AccessDenied…` in the service's form. */
  authorize(action: string, resource: string, context?: RequestContext): void;
}

/** The credential scope of a signed request (Signature Version 4). */
export interface Credential {
  readonly accessKeyId: string;
  readonly region: string;
  /** The service's signing name: `dynamodb`, `cognito-idp`, `apigateway`. */
  readonly service: string;
}

/** One operation of a stand-in: reads the input, asks the caller's policies, acts, answers. */
export type ServiceOperation = (input: unknown, caller: Caller) => Promise<unknown>;

/** A service's stand-in: its operations by name. An operation that isn't here is refused, never ignored. */
export interface Service {
  readonly operations: Readonly<Record<string, ServiceOperation>>;
}

interface OperationParts<Input> {
  /** IAM action, e.g. `kms:Encrypt`. */
  readonly action: string;
  /** ARN the action is on, or ARNs where the caller needs the right to several. May throw the service's "not found". */
  resource(input: Input): string | readonly string[];
  context?(input: Input): RequestContext;
  run(input: Input, caller: Caller): unknown;
}

/**
 * Makes an operation from the input it understands. A member the schema doesn't name is one the stand-in would ignore:
 * it is refused as not implemented.
 *
 * @param invalid code of the service's own validation error.
 */
export function operation<Schema extends z.ZodMiniType>(
  schema: Schema,
  parts: OperationParts<z.output<Schema>>,
  invalid = 'ValidationException',
): ServiceOperation {
  return async (raw, caller) => {
    const input = parse(schema, raw, invalid);
    const context = parts.context?.(input);
    for (const resource of [parts.resource(input)].flat()) caller.authorize(parts.action, resource, context);
    return await parts.run(input, caller);
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
