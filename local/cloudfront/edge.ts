/** Local CloudFront: responds to requests to distributions. */

import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly } from '../assembly/resources.ts';
import type { Answered, NamedHost } from '../gateway/gateway.ts';
import type { GatewayRequest } from '../gateway/request.ts';
import { bucketObjects } from '../s3/bucket-objects.ts';
import { type Behaviour, type Distribution, readDistribution } from './distribution.ts';
import {
  changedAnswer,
  changedRequest,
  eventRequest,
  eventResponse,
  FunctionInvalid,
  type PlainAnswer,
} from './viewer-event.ts';
import {
  type EventResponse,
  type FunctionEvent,
  FunctionFailed,
  type ViewerFunction,
} from './viewer-function.ts';

/** CloudFront with one edge location, this machine. It does not cache or compress (docs/decisions/0021). */
export interface Edge {
  /** The aliases of the templates' distributions. */
  readonly hosts: readonly NamedHost[];
  /** Whether a host name belongs to a distribution. */
  serves(host: string): boolean;
  answer(request: GatewayRequest): Promise<Answered>;
}

/** "Quotas": maximum length of a URL. */
const urlLimitBytes = 8_192;

/**
 * Makes the distributions of an assembly, each under its aliases.
 *
 * @param deps.gateway responds for the REST APIs' own endpoints.
 * @throws AssemblyError for a distribution with a setting that is not supported here, or an alias that two distributions have.
 */
export function createEdge(deps: {
  readonly assembly: Assembly;
  readonly gateway: (request: GatewayRequest) => Promise<Answered>;
  /** Logs the failure of a CloudFront Function. */
  readonly log: (line: string) => void;
}): Edge {
  const { assembly, gateway, log } = deps;
  const resources = assembly.ofType('AWS::CloudFront::Distribution');
  const buckets = resources.length === 0 ? new Map() : bucketObjects(assembly);
  const distributions = resources.map((one) => readDistribution({ assembly, buckets, gateway }, one));
  const byAlias = new Map<string, Distribution>();
  for (const distribution of distributions) {
    for (const alias of distribution.aliases) {
      if (byAlias.has(alias)) throw new AssemblyError(`two distributions have the alias ${alias}`);
      byAlias.set(alias, distribution);
    }
  }
  return {
    hosts: [...byAlias].map(([name, { comment }]) => ({ name, what: comment })),
    serves: (host) => byAlias.has(host),
    async answer(request) {
      const distribution = byAlias.get(request.host);
      if (distribution === undefined) return ownAnswer(request, 403, 'Bad request.');
      return await answerTo({ distribution, request, log });
    },
  };
}

/** One viewer's request. */
interface Visit {
  readonly distribution: Distribution;
  readonly request: GatewayRequest;
  readonly log: (line: string) => void;
}

/** Responds in CloudFront's order: behavior, viewer request, origin, headers, viewer response. */
async function answerTo(visit: Visit): Promise<Answered> {
  const { method, path, query, body } = visit.request;
  if (path.length + query.length > urlLimitBytes) return ownAnswer(visit.request, 414, 'URI too long.');
  const behaviour = behaviourOf(visit, path);
  if (!behaviour.methods.includes(method)) {
    return ownAnswer(
      visit.request,
      403,
      'This distribution is not configured to allow the HTTP request method that was used for this request.',
    );
  }
  if (method === 'GET' && body.length > 0) return ownAnswer(visit.request, 403, 'Bad request.');
  try {
    return await throughFunctions(visit, behaviour);
  } catch (error) {
    if (!(error instanceof FunctionFailed)) throw error;
    visit.log(
      `cloudfront ${visit.distribution.id} ${behaviour.pattern}: its function failed: ${error.message}`,
    );
    return error instanceof FunctionInvalid
      ? ownAnswer(
          visit.request,
          502,
          'The CloudFront function associated with the CloudFront distribution is invalid.',
        )
      : ownAnswer(
          visit.request,
          503,
          'The CloudFront function returned an invalid value or has another error.',
        );
  }
}

async function throughFunctions(visit: Visit, behaviour: Behaviour): Promise<Answered> {
  const changed = beforeOrigin(visit, behaviour);
  if ('statusCode' in changed) {
    const answer = finish(visit, behaviour, changed, 'FunctionGeneratedResponse');
    return { answer, resourcePath: behaviour.pattern };
  }
  const request = withRootObject(visit, changed);
  const fetched = await behaviour.origin(request, behaviour.forwardsViewer);
  const about = { ...fetched, resourcePath: fetched.resourcePath ?? behaviour.pattern };
  const failed = fetched.answer.statusCode >= 400;
  const answer = finish(visit, behaviour, fetched.answer, failed ? 'Error' : 'Miss');
  if (failed || behaviour.onResponse === undefined) return { ...about, answer };
  const response = eventResponse(answer);
  const returned = runFunction(visit, behaviour.onResponse, 'viewer-response', request, response);
  return { ...about, answer: changedAnswer(returned, answer) };
}

/** The request as a viewer-request function returned it, or the response that the function made itself. */
function beforeOrigin(visit: Visit, { onRequest }: Behaviour): GatewayRequest | PlainAnswer {
  const { request } = visit;
  if (onRequest === undefined) return request;
  const returned = runFunction(visit, onRequest, 'viewer-request', request);
  if (isAnswer(returned)) return changedAnswer(returned);
  if (typeof returned === 'object' && returned !== null) return changedRequest(request, returned);
  throw new FunctionInvalid('it returned no request');
}

function withRootObject({ distribution }: Visit, request: GatewayRequest): GatewayRequest {
  const { defaultRootObject } = distribution;
  if (request.path !== '/' || defaultRootObject === '') return request;
  return { ...request, path: `/${defaultRootObject}` };
}

function finish(visit: Visit, { changeHeaders }: Behaviour, plain: PlainAnswer, from: string): PlainAnswer {
  return { ...plain, headers: [...changeHeaders(plain.headers), ...ownHeaders(visit.request, from)] };
}

function behaviourOf({ distribution }: Visit, path: string): Behaviour {
  const found = distribution.behaviours.find((one) => one.covers(path));
  if (found === undefined) throw new Error('the default behaviour covers every path');
  return found;
}

function runFunction(
  visit: Visit,
  run: ViewerFunction,
  eventType: FunctionEvent['context']['eventType'],
  request: GatewayRequest,
  response?: EventResponse,
): unknown {
  const { id, domainName } = visit.distribution;
  return run({
    version: '1.0',
    context: {
      distributionDomainName: domainName,
      distributionId: id,
      eventType,
      requestId: visit.request.extendedRequestId,
    },
    viewer: { ip: visit.request.sourceIp },
    request: eventRequest(request),
    ...(response === undefined ? {} : { response }),
  });
}

function isAnswer(returned: unknown): boolean {
  return typeof returned === 'object' && returned !== null && 'statusCode' in returned;
}

function ownHeaders(request: GatewayRequest, from: string): (readonly [string, string])[] {
  return [
    ['X-Cache', `${from} from cloudfront`],
    ['Via', '1.1 local.cloudfront.net (CloudFront)'],
    ['X-Amz-Cf-Id', request.extendedRequestId],
  ];
}

/** CloudFront's own refusals, which are HTML pages. */
function ownAnswer(request: GatewayRequest, statusCode: number, why: string): Answered {
  return {
    answer: {
      statusCode,
      headers: [['Content-Type', 'text/html'], ['Server', 'CloudFront'], ...ownHeaders(request, 'Error')],
      body: Buffer.from(
        `<!DOCTYPE html><html lang="en"><head><title>ERROR: The request could not be satisfied</title></head><body><h1>${statusCode} ERROR</h1><p>${why}</p></body></html>`,
      ),
    },
  };
}
