/** Local Cognito: defines operations with their input, authorization and rate. */

import * as z from 'zod/mini';
import { quota } from '../../limits/quotas.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { requestRate } from '../protocol/request-rate.ts';
import { operation, type ServiceOperation } from '../protocol/service.ts';
import type { UserPool, UserPools } from './user-pools.ts';

export const UserPoolId = z.string().check(z.regex(/^[\w-]+_[0-9a-zA-Z]+$/));
export const Username = z
  .string()
  .check(z.minLength(1), z.maxLength(128), z.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u));

/** Requests a second for one pool, by category: the rates of an account that has no other pool. */
const rates = {
  UserAuthentication: quota('userAuthentication'),
  UserCreation: quota('userCreation'),
  UserRead: quota('userRead'),
  UserUpdate: quota('userUpdate'),
  UserAccountRecovery: quota('userAccountRecovery'),
  UserList: quota('userList'),
  UserResourceRead: quota('userResourceRead'),
  UserResourceUpdate: quota('userResourceUpdate'),
  UserPoolRead: quota('userPoolRead'),
} as const;

type Category = keyof typeof rates;

/** Makes an operation on a user pool from its name, the category of its rate, its input and its implementation. */
export type DefinePoolOperation = <Shape extends Record<string, z.ZodMiniType>>(
  name: string,
  category: Category,
  shape: Shape,
  run: (input: z.output<z.ZodMiniObject<Shape>>, pool: UserPool) => unknown,
) => Record<string, ServiceOperation>;

/** Makes the function that defines operations on a user pool: each is authorized on the pool, and counts against the pool's rates. */
export function poolOperationDefiner({
  pools,
  now,
  throttled,
}: {
  readonly pools: UserPools;
  readonly now: () => number;
  readonly throttled: boolean;
}): DefinePoolOperation {
  const limits = new Map(Object.entries(rates).map(([name, rate]) => [name, requestRate(rate, now)]));
  return (name, category, shape, run) => {
    const poolOf = (input: unknown): UserPool => pools.pool((input as { UserPoolId: string }).UserPoolId);
    const parts = {
      action: `cognito-idp:${name}`,
      resource: (input: unknown) => poolOf(input).arn,
      run(input: z.output<z.ZodMiniObject<typeof shape>>) {
        const pool = poolOf(input);
        if (throttled && limits.get(category)?.(pool.id) === false) {
          throw new AwsError('TooManyRequestsException', 'Rate exceeded');
        }
        return run(input, pool);
      },
    };
    return { [name]: operation(z.strictObject(shape), parts, 'InvalidParameterException') };
  };
}
