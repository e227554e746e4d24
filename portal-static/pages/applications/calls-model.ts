import { callRefusals } from '../../../lambdas/catalog/call-refusals.ts';
import { type GatewayResponseType, gatewayFixes } from '../../../lambdas/catalog/gateway-response-types.ts';
import type { CallView, UsageView } from '../../../lambdas/portal/api/views.ts';

/** The log of calls, and what a refused one lacked. */

export interface Explanation {
  readonly expected: string;
  readonly received: string;
  readonly fix: string;
}

/** By the gateway's own refusals (API Gateway "gateway response types"); the words fit what each host answers. */
const byResponseType: Readonly<Partial<Record<GatewayResponseType, Omit<Explanation, 'fix'>>>> = {
  UNAUTHORIZED: {
    expected: 'the header x-api-subscription-key, and for member data the header Authorization: Bearer',
    received: 'a call without one of them',
  },
  ACCESS_DENIED: {
    expected: 'a valid access token of this line of business and environment',
    received: 'a token that is expired, altered, or issued for another line of business or environment',
  },
  INVALID_API_KEY: {
    expected: 'an active subscription key of the same application as the token',
    received: 'a key that is unknown, disabled, or another application’s',
  },
  MISSING_AUTHENTICATION_TOKEN: {
    expected: 'a path and method this host serves',
    received: 'another path or method',
  },
  THROTTLED: {
    expected: 'calls within the rate of your plan',
    received: 'more calls a second than that',
  },
  QUOTA_EXCEEDED: {
    expected: 'calls within the quota of the day',
    received: 'more calls today than that',
  },
  BAD_REQUEST_PARAMETERS: {
    expected: 'every parameter the route needs, well formed',
    received: 'a parameter that is missing or malformed',
  },
  BAD_REQUEST_BODY: {
    expected: 'a body in the form the route describes',
    received: 'a body that could not be read',
  },
  REQUEST_TOO_LARGE: {
    expected: 'a request of at most 10 MB',
    received: 'a larger one',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    expected: 'a Content-Type this route reads',
    received: 'another one',
  },
  WAF_FILTERED: {
    expected: 'an ordinary request',
    received: 'one that looks like an attack',
  },
};

const serverSide: Explanation = {
  expected: 'an answer from us',
  received: 'a failure on our side',
  fix: 'Try again in a moment. If it stays, tell us the request id.',
};

const byStatus: Readonly<Record<number, Explanation>> = {
  400: {
    expected: 'a request as the API reference describes it',
    received: 'a parameter or body that does not fit',
    fix: 'Read the error’s description in the answer; it names what was expected.',
  },
  401: {
    expected: 'a token whose grant is alive, or the right client id and secret',
    received: 'an expired token, an ended grant, or wrong client credentials',
    fix: 'Let the member sign in again, or check the secret under View Credentials.',
  },
  403: {
    expected: 'a product and a scope that were granted to this application',
    received: 'a call beyond them',
    fix: 'Add the product to the configuration, or ask for the scope at sign-in.',
  },
  404: {
    expected: 'the patient id that came with the token, on a path that exists',
    received: 'another id or path',
    fix: 'Use the value of patient in the token answer. Another member’s id looks like one that does not exist.',
  },
  405: {
    expected: 'a method this path takes',
    received: 'another method',
    fix: 'The Allow header names the methods.',
  },
  406: {
    expected: 'an Accept header we can serve',
    received: 'another format',
    fix: 'Send Accept: application/json or application/fhir+json.',
  },
  429: {
    expected: 'calls within the rate and quota of your plan',
    received: 'more than that',
    fix: 'Wait as many seconds as Retry-After says.',
  },
};

/** Expected and received values of a failed call; undefined for a call that succeeded. */
export function explain({
  status,
  responseType,
  reason,
}: Pick<CallView, 'status' | 'responseType' | 'reason'>): Explanation | undefined {
  if (status < 400) return undefined;
  if (status >= 500) return serverSide;
  const refusal = reason === undefined ? undefined : callRefusals[reason];
  if (refusal !== undefined) return refusal;
  const type = responseType as GatewayResponseType | undefined;
  const known = type === undefined ? undefined : byResponseType[type];
  if (type !== undefined && known !== undefined) return { ...known, fix: gatewayFixes[type] };
  return byStatus[status] ?? byStatus[400];
}

export interface CallFilter {
  readonly lob: string;
  /** `all`, `succeeded` or `refused`. */
  readonly outcome: string;
  /** Part of a route or request id. */
  readonly text: string;
}

export function matchesFilter(call: CallView, { lob, outcome, text }: CallFilter): boolean {
  const wanted = text.trim().toLowerCase();
  return (
    (lob === '' || call.lob === lob) &&
    (outcome === 'all' || call.status >= 400 === (outcome === 'refused')) &&
    (wanted === '' ||
      [call.route, call.requestId, String(call.status), call.responseType ?? '']
        .join(' ')
        .toLowerCase()
        .includes(wanted))
  );
}

/** The busiest day and how much of the quota it took, for those who don't see the chart. */
export function usageSummary({ days, quotaPerDay }: UsageView): string {
  const busiest = [...days].sort((one, other) => other.used - one.used)[0];
  if (busiest === undefined || busiest.used === 0) return 'No calls in this time.';
  const share = quotaPerDay === 0 ? 0 : Math.round((busiest.used / quotaPerDay) * 100);
  const part = share === 0 ? 'less than 1 %' : `${share} %`;
  return `The busiest day was ${busiest.date} with ${busiest.used.toLocaleString('en-US')} ${busiest.used === 1 ? 'call' : 'calls'}, ${part} of the quota.`;
}
