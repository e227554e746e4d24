/** Local Cognito: filters of ListUsers. */

import { AwsError } from '../protocol/aws-error.ts';
import type { PoolUser } from './pool-users.ts';

/** Attributes ListUsers can search by. Source: Cognito API reference, ListUsers, "Filter". */
const searchable =
  /^(username|email|phone_number|name|given_name|family_name|preferred_username|sub|cognito:user_status|status)$/;

/**
 * Reads a ListUsers filter: `email = "a@example.org"` or `given_name ^= "An"`.
 *
 * @throws AwsError `InvalidParameterException`.
 */
export function userFilter(filter: string): (user: PoolUser) => boolean {
  if (filter === '') return () => true;
  const [, name = '', operator, quoted = ''] =
    /^\s*"?([\w:]+)"?\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(filter) ?? [];
  if (!searchable.test(name)) throw new AwsError('InvalidParameterException', 'Error while parsing filter.');
  const wanted = quoted.replace(/\\(.)/g, '$1');
  return (user) => {
    const value = valueToSearch(user, name);
    if (value === undefined) return false;
    return operator === '=' ? value === wanted : value.startsWith(wanted);
  };
}

function valueToSearch(user: PoolUser, name: string): string | undefined {
  switch (name) {
    case 'username':
      return user.username;
    case 'sub':
      return user.sub;
    case 'cognito:user_status':
      return user.status;
    case 'status':
      return user.enabled ? 'Enabled' : 'Disabled';
    default:
      return user.attributes[name];
  }
}
