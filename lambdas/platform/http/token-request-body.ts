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

/** The media types a token endpoint takes. The description's table has JSON, RFC 6749 section 4.1.3 the form. */
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
    // The middleware has put the parsed value in the body's place.
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

/** Parses a JSON body of at most 16 KiB; a larger or malformed one is 400 `invalid_request`. Leaves other types alone. */
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

/** An early answer skips the step of the pipeline that sets the request ID, so it is set here. */
function refuse(event: APIGatewayProxyEvent, description: string): APIGatewayProxyResult {
  const response = oauthError({ error: 'invalid_request', description });
  return { ...response, headers: { ...response.headers, 'X-Request-Id': answeredRequestId(event) } };
}
