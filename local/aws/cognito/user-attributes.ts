/** Local Cognito: user attributes. */

import { AwsError } from '../protocol/aws-error.ts';
import type { PoolUser } from './pool-users.ts';
import type { UserPool } from './user-pools.ts';

export interface Attribute {
  readonly Name: string;
  readonly Value?: string | undefined;
}

/** OpenID Connect's standard claims, which every pool has. Source: Cognito developer guide, "Standard attributes". */
const standard =
  'address birthdate email email_verified family_name gender given_name locale middle_name name nickname phone_number phone_number_verified picture preferred_username profile updated_at website zoneinfo';
const standardAttributes = new Set(standard.split(' '));

/**
 * Reads attributes with Cognito's own checks.
 *
 * @throws AwsError `InvalidParameterException` for an attribute that the pool does not have, or a malformed address or number.
 */
export function readAttributes(pool: UserPool, given: readonly Attribute[]): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const { Name, Value = '' } of given) {
    if (Name === 'sub') throw invalid('Cannot modify the non-mutable attribute sub');
    if (!standardAttributes.has(Name) && !pool.customAttributes.includes(Name)) {
      throw invalid(
        `Attributes did not conform to the schema: Type for attribute {${Name}} could not be determined`,
      );
    }
    // AttributeValueType of the API reference.
    if (Value.length > 2_048) throw invalid(`The value of ${Name} is longer than 2048 characters`);
    if (Name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(Value))
      throw invalid('Invalid email address format.');
    if (Name === 'phone_number' && !/^\+[1-9]\d{1,14}$/.test(Value))
      throw invalid('Invalid phone number format.');
    if (Name.endsWith('_verified') && !/^(true|false)$/i.test(Value))
      throw invalid(`Invalid value for ${Name}`);
    attributes[Name] = Name.endsWith('_verified') ? Value.toLowerCase() : Value;
  }
  return attributes;
}

/** A user's attributes as responses list them, `sub` first. */
export function listAttributes({ sub, attributes }: PoolUser): Attribute[] {
  return [
    { Name: 'sub', Value: sub },
    ...Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
  ];
}

/** A user as AdminGetUser and ListUsers return it. */
export function renditionOf(
  user: PoolUser,
  attributesName: 'Attributes' | 'UserAttributes',
): Record<string, unknown> {
  return {
    Username: user.username,
    [attributesName]: listAttributes(user),
    UserCreateDate: user.createdAt / 1_000,
    UserLastModifiedDate: user.modifiedAt / 1_000,
    Enabled: user.enabled,
    UserStatus: user.status,
  };
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}
