import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { callerOfPath } from '../../catalog/interface-families.ts';
import { headerValues } from '../../platform/http/header-values.ts';
import type { Log } from '../../platform/runtime/log.ts';
import { StoreUnavailable } from '../../platform/table/table.ts';
import type { AccessTokens, TokenVerdict, VerifiedToken } from './access-tokens.ts';
import type { MeteredApplications } from './metered-application.ts';
import type { KeyVerdict, SubscriptionKeyLookup } from './subscription-key.ts';

/**
 * Authorizes calls to a LOB's API (docs/architecture.md, "How a call is authorized"). The policy's effect follows from the token, and
 * `usageIdentifierKey` from the subscription key. If the environment requires no key beside a token, `usageIdentifierKey` is the metering
 * key of the token's application.
 *
 * @throws StoreUnavailable if nothing could be decided. API Gateway then caches nothing and answers 503: AUTHORIZER_CONFIGURATION_ERROR, or
 * AUTHORIZER_FAILURE after a timeout (docs/decisions/0001).
 */
export function createAuthorizer(options: {
  readonly subscriptionKeys: SubscriptionKeyLookup;
  readonly accessTokens: AccessTokens;
  /** Set if `member` routes admit a token without a subscription key (`subscriptionKey: 'optional'`). */
  readonly applications?: MeteredApplications;
  /**
   * Set if the Provider Directory is public (`directoryAccess`): value of the API Gateway key that meters calls without a valid
   * subscription key.
   */
  readonly publicMeteringKey?: string;
  readonly log: Log;
}) {
  return async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const { requestId } = event.requestContext;
    const decision = await logFailure(options.log, requestId, authorizeCall(options, event));
    const { reason, clientId } = decision.context ?? {};
    if (reason !== undefined) {
      options.log('warn', 'call_refused', {
        requestId,
        reason: String(reason),
        ...(clientId !== undefined && { clientId: String(clientId) }),
      });
    }
    return decision;
  };
}

/**
 * Logs why a decision failed, because API Gateway answers an unavailable store and a defect alike.
 *
 * @throws the error of the decision.
 */
export async function logFailure<Decision>(
  log: Log,
  requestId: string,
  decision: Promise<Decision>,
): Promise<Decision> {
  try {
    return await decision;
  } catch (error) {
    const errorName = error instanceof Error ? error.name : 'Error';
    log('error', error instanceof StoreUnavailable ? 'store_unavailable' : 'defect', {
      requestId,
      errorName,
    });
    throw error;
  }
}

type Options = Parameters<typeof createAuthorizer>[0];

async function authorizeCall(
  { subscriptionKeys, accessTokens, applications, publicMeteringKey }: Options,
  event: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult> {
  const { methodArn } = event;
  const key = subscriptionKeyOf(event);
  const access = callerOfPath(event.resource);
  if (access === 'key') {
    if (publicMeteringKey !== undefined)
      return await meterPublicCall(subscriptionKeys, methodArn, key, publicMeteringKey);
    return authorizerResponse(methodArn, key, await subscriptionKeys(key), undefined);
  }
  const authorization = onlyHeader(event, 'authorization');
  if (applications !== undefined && access === 'member')
    return await authorizeByToken(applications, accessTokens, methodArn, authorization);
  const keyVerdict = subscriptionKeys(key);
  const tokenVerdict = await verdictOnToken(accessTokens, authorization, keyVerdict);
  return authorizerResponse(methodArn, key, await keyVerdict, tokenVerdict);
}

/** Admits a call with or without a key; a valid key meters its application. */
async function meterPublicCall(
  subscriptionKeys: SubscriptionKeyLookup,
  methodArn: string,
  key: string,
  publicMeteringKey: string,
): Promise<APIGatewayAuthorizerResult> {
  const verdict = await subscriptionKeys(key);
  if (verdict.kind === 'active') return authorizerResponse(methodArn, key, verdict, undefined);
  return { ...policy('Allow', methodArn, 'anonymous', {}), usageIdentifierKey: publicMeteringKey };
}

/** The subscription key of a call. Empty if there is none or more than one; the empty key matches no application. */
export function subscriptionKeyOf(event: APIGatewayRequestAuthorizerEvent): string {
  return onlyHeader(event, 'x-api-subscription-key') ?? '';
}

/**
 * Authorizes a call by its token alone. A key that is sent is ignored: API Gateway caches the policy by the token, so a decision by the key
 * would also apply to the token's later calls without the key.
 */
async function authorizeByToken(
  applications: MeteredApplications,
  accessTokens: AccessTokens,
  methodArn: string,
  authorization: string | undefined,
): Promise<APIGatewayAuthorizerResult> {
  const unknown = { kind: 'refusal', reason: 'key_unknown' } as const;
  const token = await verdictOnToken(accessTokens, authorization);
  if (token.kind === 'refusal') return authorizerResponse(methodArn, '', unknown, token);
  return authorizerResponse(methodArn, '', await applications(token.token.claims.client_id), token);
}

/** Form of the `Authorization` header (RFC 6750 section 2.1): the scheme is case-insensitive, the token a b64token. */
const bearer = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i;

async function verdictOnToken(
  accessTokens: AccessTokens,
  authorization: string | undefined,
  beside?: Promise<KeyVerdict>,
): Promise<TokenVerdict> {
  const token = bearer.exec(authorization ?? '')?.[1];
  if (token === undefined) return { kind: 'refusal', reason: 'token_malformed' };
  const [verdict] = await Promise.all([accessTokens(token), beside]);
  return verdict;
}

/**
 * Builds the response to API Gateway from the two verdicts. A call is metered by its application's metering key, whichever subscription key
 * it has, so that two keys during a rotation share one rate and quota.
 *
 * @param token undefined on routes without a token
 */
export function authorizerResponse(
  methodArn: string,
  key: string,
  keyVerdict: KeyVerdict,
  token: TokenVerdict | undefined,
): APIGatewayAuthorizerResult {
  if (token?.kind === 'refusal') {
    // The access log has the principal, so that a developer can find refused calls too.
    const principal = keyVerdict.kind === 'active' ? keyVerdict.clientId : 'anonymous';
    return policy('Deny', methodArn, principal, { reason: token.reason });
  }
  const claims = token?.token.claims;
  const aboutToken = token === undefined ? {} : tokenContext(token.token);
  const principal = claims?.client_id ?? (keyVerdict.kind === 'active' ? keyVerdict.clientId : 'anonymous');
  if (keyVerdict.kind === 'refusal')
    return policy('Allow', methodArn, principal, { ...aboutToken, reason: keyVerdict.reason });
  if (claims !== undefined && claims.client_id !== keyVerdict.clientId) {
    return policy('Allow', methodArn, principal, { ...aboutToken, reason: 'key_of_another_client' });
  }
  const { clientId, products, apiKeyId, meteringKey = key } = keyVerdict;
  const context = {
    ...aboutToken,
    clientId,
    products: products.join(' '),
    ...(apiKeyId !== undefined && { apiKeyId }),
  };
  return { ...policy('Allow', methodArn, principal, context), usageIdentifierKey: meteringKey };
}

/**
 * The claims of a token that functions receive. A machine-to-machine token has no grant and no patient, so functions of member routes
 * refuse it.
 */
function tokenContext({ kind, claims }: VerifiedToken): Record<string, string> {
  const { scope, jti, exp } = claims;
  return {
    scope,
    tokenId: jti,
    tokenExpiresAt: String(exp),
    ...(kind === 'member' && { grantId: claims.grant, patientId: claims.patient }),
  };
}

/** A policy for the whole stage: API Gateway caches it and applies it to calls of other routes with the same token and key. */
function policy(
  Effect: 'Allow' | 'Deny',
  methodArn: string,
  principalId: string,
  context: Record<string, string>,
): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  return {
    principalId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: `${api}/${stage}/*` }],
    },
    context,
  };
}

/**
 * The value of a header that was sent exactly once. A repeated header counts as missing, because two readers could choose different values.
 */
function onlyHeader(event: APIGatewayRequestAuthorizerEvent, name: string): string | undefined {
  const values = headerValues(event, name);
  return values.length === 1 ? values[0] : undefined;
}
