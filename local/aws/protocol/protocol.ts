/** Wire protocols of the AWS services (JSON, query). */

import { AwsError } from './aws-error.ts';
import { parseForm } from './query-form.ts';
import { answerXml, errorXml } from './query-xml.ts';
import type { RestRoute } from './rest-routes.ts';
import { matchRoute } from './rest-routes.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

/** The wire protocol of a service. */
export interface Protocol {
  /**
   * Parses a request.
   *
   * @throws AwsError if the request names no operation, or its body can't be read.
   */
  read(request: WireRequest): { readonly operation: string; readonly input: unknown };
  answer(operation: string, output: unknown, requestId: string): WireAnswer;
  error(error: AwsError, requestId: string): WireAnswer;
  /** The protocol's spelling of an exception that every service has. */
  readonly accessDenied: string;
  readonly unknownCaller: string;
}

/** AWS JSON 1.0 and 1.1: operation in `X-Amz-Target`. Source: Smithy, "AWS JSON 1.1 protocol". */
export function awsJson(version: '1.0' | '1.1', prefix: string): Protocol {
  const contentType = `application/x-amz-json-${version}`;
  return {
    read({ headers, body }) {
      const [service, operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
      if (service !== prefix || operation === '') throw new AwsError('UnknownOperationException', '');
      return { operation, input: parseJson(body) };
    },
    answer: (_operation, output, requestId) => json(200, output ?? {}, contentType, requestId),
    error: (error, requestId) =>
      json(
        // These protocols use status 400 where others use 403 (DynamoDB Developer Guide, "Error messages").
        error.code === 'AccessDeniedException' ? 400 : error.status,
        { __type: error.code, message: error.message, ...error.members },
        contentType,
        requestId,
      ),
    accessDenied: 'AccessDeniedException',
    unknownCaller: 'UnrecognizedClientException',
  };
}

/** AWS query: operation and input in a form, responses in XML. Source: Smithy, "AWS query protocol". */
export function awsQuery(namespace: string, names: { readonly accessDenied: string }): Protocol {
  return {
    read({ body }) {
      const { Action, Version, ...input } = parseForm(body.toString('utf8'));
      if (typeof Action !== 'string' || Version === undefined) {
        throw new AwsError('MissingAction', 'the request names no Action and Version');
      }
      return { operation: Action, input };
    },
    answer: (operation, output, requestId) =>
      xml(200, answerXml(operation, output, namespace, requestId), requestId),
    error: (error, requestId) => xml(error.status, errorXml(error, namespace, requestId), requestId),
    accessDenied: names.accessDenied,
    unknownCaller: 'InvalidClientTokenId',
  };
}

/** REST JSON: the operation is in method and path, an exception's name in `x-amzn-errortype`. */
export function restJson(routes: readonly RestRoute[]): Protocol {
  return {
    read(request) {
      const route = matchRoute(routes, request);
      if (route === undefined) {
        throw new AwsError('UnknownOperationException', `${request.method} is not known here`, 404);
      }
      return route;
    },
    answer(_operation, output, requestId) {
      if (isWireAnswer(output)) return output;
      return output === undefined
        ? { status: 202, headers: { 'x-amzn-requestid': requestId }, body: '' }
        : json(200, output, 'application/json', requestId);
    },
    error: (error, requestId) => {
      const status = error.code === 'AccessDeniedException' ? 403 : error.status;
      const answer = json(
        status,
        { message: error.message, ...error.members },
        'application/json',
        requestId,
      );
      return { ...answer, headers: { ...answer.headers, 'x-amzn-errortype': error.code } };
    },
    accessDenied: 'AccessDeniedException',
    unknownCaller: 'UnrecognizedClientException',
  };
}

export function parseJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    throw new AwsError('SerializationException', 'the body is no JSON');
  }
}

function isWireAnswer(output: unknown): output is WireAnswer {
  return typeof output === 'object' && output !== null && 'status' in output && 'headers' in output;
}

function json(status: number, value: unknown, contentType: string, requestId: string): WireAnswer {
  return {
    status,
    headers: { 'content-type': contentType, 'x-amzn-requestid': requestId },
    body: JSON.stringify(value),
  };
}

function xml(status: number, body: string, requestId: string): WireAnswer {
  return { status, headers: { 'content-type': 'text/xml', 'x-amzn-requestid': requestId }, body };
}
