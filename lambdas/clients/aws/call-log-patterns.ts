/**
 * Makes filter patterns of CloudWatch Logs for lines of the log of calls. All fields of a line are text.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { CallFilter } from '../provisioning/provisioning-contract.ts';

/** A log group with calls. */
export interface LoggedHost {
  readonly logGroup: string;
  /** The LOB of the host that writes to it; undefined for a log with calls of several. */
  readonly lob?: LineOfBusiness | undefined;
}

/** A refused authorization request is a redirect (303), so its line is known by its level; lines of access logs have none. */
const outcomes: Readonly<Record<NonNullable<CallFilter['outcome']>, string>> = {
  succeeded: `${any(['1*', '2*', '3*'].map(statusLike))} && ($.level NOT EXISTS || ${is('level', 'info')})`,
  refused: any([...['4*', '5*'].map(statusLike), is('level', 'warn')]),
};

/** Makes the pattern of a client's calls that meet a filter, in one log group. */
export function callPattern(
  clientId: string,
  { lob, outcome, status, path, requestId }: CallFilter,
  host: LoggedHost,
): string {
  const conditions = [
    is('clientId', clientId),
    // Lines of a LOB's own host have the LOB in their host name only.
    ...(lob === undefined || host.lob !== undefined ? [] : [is('lob', lob)]),
    ...(outcome === undefined ? [] : [outcomes[outcome]]),
    ...(status === undefined ? [] : [is('status', String(status))]),
    ...(path === undefined ? [] : [is('route', `*${path}*`)]),
    ...(requestId === undefined ? [] : [is('requestId', requestId)]),
  ];
  return `{ ${conditions.join(' && ')} }`;
}

/** Makes the pattern of calls with one of these keys, and of token requests with one of these secrets. */
export function lastCallPattern(apiKeyIds: readonly string[], secretIds: readonly string[]): string {
  const conditions = [
    ...apiKeyIds.map((id) => is('apiKeyId', id)),
    ...secretIds.map((id) => is('secretId', id)),
  ];
  return `{ ${conditions.join(' || ')} }`;
}

function is(field: string, value: string): string {
  return `$.${field} = "${value}"`;
}

function statusLike(form: string): string {
  return is('status', form);
}

function any(conditions: readonly string[]): string {
  return `(${conditions.join(' || ')})`;
}
