/** The account on this machine: its templates, its gaps, and how an operation asks for it. */

import * as z from 'zod/mini';
import type { Assembly } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { RestRoute } from '../protocol/rest-routes.ts';
import { type Caller, operation, type Service, type ServiceOperation } from '../protocol/service.ts';
import type { AccountGap } from './account-gaps.ts';

/** A part of a REST service: its routes beside its operations. */
export interface RestService extends Service {
  readonly routes: readonly RestRoute[];
}

export interface AccountContext {
  readonly assembly: Assembly;
  readonly gaps: ReadonlySet<AccountGap>;
  readonly now: () => number;
  /** Whether the stacks exist. */
  isDeployed(): boolean;
  /** Makes an operation that reads. It needs its IAM action, which the gap `rights` denies. */
  reads<Schema extends z.ZodMiniType>(
    action: string,
    schema: Schema,
    run: (input: z.output<Schema>, caller: Caller) => unknown,
  ): ServiceOperation;
  /** Whether a resource with a fixed name exists: one of the stacks, or one that an earlier deployment left. */
  remains(type: string, property: string, name: string): boolean;
}

/** The input of operations without parameters. */
export const empty = z.strictObject({});

export function accountContext(
  assembly: Assembly,
  gaps: ReadonlySet<AccountGap>,
  now: () => number,
): AccountContext {
  const isDeployed = () => !(['deployment', 'log-role', 'names'] as const).some((gap) => gaps.has(gap));
  return {
    assembly,
    gaps,
    now,
    isDeployed,
    reads: (action, schema, run) =>
      operation(schema, {
        action,
        resource: () => '*',
        run(input, caller) {
          if (!gaps.has('rights')) return run(input, caller);
          throw new AwsError('AccessDeniedException', `not authorized to perform: ${action}`, 403);
        },
      }),
    remains: (type, property, name) =>
      (isDeployed() || gaps.has('names')) &&
      assembly.ofType(type).some(({ properties }) => properties[property] === name),
  };
}
