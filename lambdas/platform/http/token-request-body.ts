/** Parses the bodies of token requests, JSON and form. */

import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { repeatsMember } from '../kernel/json-faults.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';
import { bodyText, contentTypeOf, formParameters, jsonParameters, type ParameterMap } from './parameters.ts';
import { answeredRequestId } from './pipeline.ts';

const formType = 'application/x-www-form-urlencoded';
const jsonType = 'application/json';

/** Media types that a token endpoint accepts. JSON is from docs/service.md S6.2, the form from RFC 6749 section 4.1.3. */
export type TokenBody = 'form' | 'json or form';

/** Reads the parameters of a token request's body. */
export function tokenParameters(
  event: APIGatewayProxyEvent,
  accepted: TokenBody,
):
  | { readonly kind: 'parameters'; readonly parameters: ParameterMap }
  | { readonly kind: 'refusal'; readonly refusal: OAuthError } {
  const type = contentTypeOf(event);
  if (type === jsonType && accepted === 'json or form') {
    // `jsonBodyParser` has replaced the body by the parsed value.
    return parametersOr(
      'the body must be a JSON object whose values are strings',
      jsonParameters(event.body),
    );
  }
  if (type !== formType) {
    const types = accepted === 'form' ? formType : `${jsonType} or ${formType}`;
    return parametersOr(`content-type must be ${types}`);
  }
  const text = bodyText(event);
  if (text === undefined) return parametersOr('the body is too large or not UTF-8');
  return parametersOr('the body is not valid form encoding', formParameters(text));
}

function parametersOr(description: string, parameters?: ParameterMap): ReturnType<typeof tokenParameters> {
  return parameters === undefined
    ? { kind: 'refusal', refusal: { error: 'invalid_request', description } }
    : { kind: 'parameters', parameters };
}

/**
 * Makes the middleware that parses a JSON body of at most 16 KiB; a larger or malformed one gets a 400 `invalid_request`. Other media types
 * are left as they are.
 */
export function jsonBodyParser(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const parse = httpJsonBodyParser({ disableContentTypeCheck: true }).before;
  return {
    before: async (request) => {
      const { event } = request;
      if (contentTypeOf(event) !== jsonType) return undefined;
      const text = bodyText(event);
      if (text === undefined) return refuse(event, 'the body is too large or not UTF-8');
      Object.assign(event, { body: text, isBase64Encoded: false });
      try {
        await parse?.(request as never);
      } catch {
        return refuse(event, 'the body is not valid JSON');
      }
      const parameters = jsonParameters(event.body);
      return parameters !== undefined && repeatsMember(text)
        ? refuse(event, 'a member of the body was sent more than once')
        : undefined;
    },
  };
}

/**
 * Makes the response to a malformed body. A response of a middleware skips the step of the pipeline that sets the request ID, so it is set
 * here.
 */
function refuse(event: APIGatewayProxyEvent, description: string): APIGatewayProxyResult {
  const response = oauthError({ error: 'invalid_request', description });
  return { ...response, headers: { ...response.headers, 'X-Request-Id': answeredRequestId(event) } };
}
