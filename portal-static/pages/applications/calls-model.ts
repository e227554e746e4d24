import { callRefusals } from '../../../lambdas/catalog/call-refusals.ts';
import {
  type GatewayResponseType,
  gatewayFixes,
} from '../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { authorizationErrors, unredirectableReasons } from '../../../lambdas/catalog/oauth/oauth-errors.ts';
import type { CallView, UsageView } from '../../../lambdas/portal/api/views.ts';

/** Explains why a call was refused, and sums up the usage. */

export interface Explanation {
  readonly expected: string;
  readonly received: string;
  readonly fix: string;
}

/** Explanations of API Gateway's own refusals, by gateway response type; they hold for every host. */
const byResponseType: Readonly<Partial<Record<GatewayResponseType, Omit<Explanation, 'fix'>>>> = {
  UNAUTHORIZED: {
    expected: 'the header x-api-subscription-key, and the header Authorization: Bearer for member data',
    received: 'a call without one of these headers',
  },
  ACCESS_DENIED: {
    expected: 'a valid access token for this line of business and environment',
    received: 'a token that is expired, changed, or for another line of business or environment',
  },
  INVALID_API_KEY: {
    expected: 'an active subscription key of the same application as the token',
    received: 'a key that is unknown, disabled, or from another application',
  },
  MISSING_AUTHENTICATION_TOKEN: {
    expected: 'a path and method that this host serves',
    received: 'another path or method',
  },
  THROTTLED: {
    expected: 'calls within the rate of your plan',
    received: 'more calls per second than your plan allows',
  },
  QUOTA_EXCEEDED: {
    expected: 'calls within the daily quota',
    received: 'more calls today than the quota allows',
  },
  BAD_REQUEST_PARAMETERS: {
    expected: 'all required parameters in the correct format',
    received: 'a missing or malformed parameter',
  },
  BAD_REQUEST_BODY: {
    expected: 'a body in the documented format',
    received: 'a body that is not valid',
  },
  REQUEST_TOO_LARGE: {
    expected: 'a request of at most 10 MB',
    received: 'a larger request',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    expected: 'a supported Content-Type',
    received: 'an unsupported Content-Type',
  },
  WAF_FILTERED: {
    expected: 'a request without attack patterns',
    received: 'a request that looks like an attack',
  },
};

const serverSide: Explanation = {
  expected: 'an answer from the service',
  received: 'a failure of the service',
  fix: 'Try again in a moment. If the problem continues, tell us the request ID.',
};

const byStatus: Readonly<Record<number, Explanation>> = {
  400: {
    expected: 'a request that matches the API reference',
    received: 'an invalid parameter or body',
    fix: 'Read the error description in the answer. It says what was expected.',
  },
  401: {
    expected: 'a token with an active grant, or the correct client ID and secret',
    received: 'an expired token, an ended grant, or incorrect client credentials',
    fix: 'Have the member sign in again, or check the secret under View Credentials.',
  },
  403: {
    expected: 'a product and scope granted to this application',
    received: 'a call to another product or scope',
    fix: 'Add the product to the configuration, or request the scope at sign-in.',
  },
  404: {
    expected: 'the patient ID that came with the token, on a path that exists',
    received: 'another ID or path',
    fix: 'Use the value of patient in the token response. The ID of another member is reported as not found.',
  },
  405: {
    expected: 'a method that this path supports',
    received: 'another method',
    fix: 'The Allow header lists the supported methods.',
  },
  406: {
    expected: 'an Accept header with a supported format',
    received: 'another format',
    fix: 'Send Accept: application/json or application/fhir+json.',
  },
  429: {
    expected: 'calls within the rate and quota of your plan',
    received: 'more calls than your plan allows',
    fix: 'Wait the number of seconds in Retry-After.',
  },
};

/** Errors of the authorization endpoint by the anchors of their tables on the page of errors. */
const authorizationTables: Readonly<Record<string, Readonly<Record<string, { readonly fix: string }>>>> = {
  page: unredirectableReasons,
  authorization: authorizationErrors,
};

/** The name of the table that explains the refusal of an authorization request. */
function authorizationTable({ route, reason }: Pick<CallView, 'route' | 'reason'>): string | undefined {
  if (reason === undefined || !route.startsWith('/fhir-oauth2/sec/')) return undefined;
  return Object.keys(authorizationTables).find((name) =>
    Object.hasOwn(authorizationTables[name] ?? {}, reason),
  );
}

/** Whether a call was refused. The refusal of an authorization request may be a redirect, whose line has a reason. */
export function isRefused({ status, reason }: Pick<CallView, 'status' | 'reason'>): boolean {
  return status >= 400 || reason !== undefined;
}

/** Explains a failed call: what was expected and what was received. Undefined for a call that succeeded. */
export function explain(
  call: Pick<CallView, 'status' | 'responseType' | 'reason' | 'route' | 'expected' | 'received'>,
): Explanation | undefined {
  const { status, responseType, reason, expected, received } = call;
  if (!isRefused(call)) return undefined;
  if (status >= 500) return serverSide;
  const table = authorizationTable(call);
  if (table !== undefined && expected !== undefined && received !== undefined) {
    return { expected, received, fix: authorizationTables[table]?.[reason ?? '']?.fix ?? '' };
  }
  const refusal = reason === undefined ? undefined : callRefusals[reason];
  if (refusal !== undefined) return refusal;
  const type = responseType as GatewayResponseType | undefined;
  const known = type === undefined ? undefined : byResponseType[type];
  if (type !== undefined && known !== undefined) return { ...known, fix: gatewayFixes[type] };
  return byStatus[status] ?? byStatus[400];
}

/** The part of the documentation's page of errors that is about a failed call: its reason, or else the errors of its host. */
export function errorsAddress(call: Pick<CallView, 'reason' | 'lob' | 'route'>): string {
  const { reason, lob, route } = call;
  const table = authorizationTable(call);
  if (table !== undefined) return `/docs/errors#${table}-${reason}`;
  if (reason !== undefined && Object.hasOwn(callRefusals, reason)) return `/docs/errors#reason-${reason}`;
  const isToken = lob === undefined || route.startsWith('/fhir-oauth2/');
  return `/docs/errors#${isToken ? 'tokens-and-userinfo' : 'fhir-apis'}`;
}

/** Summarizes the usage for readers who do not see the chart: the busiest day and its share of the quota. */
export function usageSummary({ days, quotaPerDay }: UsageView): string {
  const busiest = [...days].sort((one, other) => other.used - one.used)[0];
  if (busiest === undefined || busiest.used === 0) return 'There are no calls in this period.';
  const used = `The busiest day was ${busiest.date} with ${busiest.used.toLocaleString('en-US')} ${busiest.used === 1 ? 'call' : 'calls'}`;
  // Without a quota there is no share of it.
  if (quotaPerDay === 0) return `${used}.`;
  const share = Math.round((busiest.used / quotaPerDay) * 100);
  return `${used}, ${share === 0 ? 'less than 1 %' : `${share} %`} of the quota.`;
}
