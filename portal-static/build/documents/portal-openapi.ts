/** Generates the OpenAPI document of the portal's API from its table of routes. */

import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
} from 'zod-openapi';
import { environments } from '../../../lambdas/catalog/environments.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import {
  type PortalAccess,
  type PortalRoute,
  type PortalRouteName,
  portalRoutes,
} from '../../../lambdas/portal/catalog/portal-routes.ts';
import { type ProblemCode, portalProblems } from '../../../lambdas/portal/catalog/problems.ts';
import { documentVersion, type OpenApiDocument, publisherOf } from './openapi.ts';
import { requestIdAnswer, requestIdHeader, retryAfterAnswer } from './operations.ts';
import { portalAnswers } from './portal-answers.ts';
import { portalRequests } from './portal-requests.ts';
import { problemDetails } from './portal-views.ts';

const accessSentences: Readonly<Record<PortalAccess, string>> = {
  public: 'Public.',
  pending: 'For any signed-in account, including one with an incomplete sign-up.',
  developer: 'For developers with an active account, within their team.',
  operator: 'For operators.',
};

/** Lists the problems that any route with this access and method can return. Problems of a single route are identified by their code. */
function problemsOf({ access, method }: PortalRoute, hasBody: boolean): readonly ProblemCode[] {
  const signedIn: ProblemCode[] = access === 'public' ? [] : ['signed_out', 'account_suspended'];
  const active: ProblemCode[] = access === 'developer' || access === 'operator' ? ['account_state'] : [];
  const body: ProblemCode[] = hasBody
    ? ['invalid_request', 'invalid_json', 'body_too_large', 'unsupported_media_type']
    : ['invalid_request'];
  const changing: ProblemCode[] = method === 'GET' ? [] : ['cross_site_request', 'too_many_requests'];
  return [...body, ...signedIn, ...active, ...changing, 'not_found', 'unavailable', 'defect'];
}

function problemResponses(codes: readonly ProblemCode[]) {
  const statuses = [...new Set(codes.map((code) => portalProblems[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => portalProblems[code].status === status);
      const description = here.map((code) => `\`${code}\`: ${portalProblems[code].title}`).join(' ');
      return [`${status}`, problem(description, status === 429 ? { 'Retry-After': retryAfterAnswer } : {})];
    }),
  );
}

function problem(description: string, headers: Readonly<Record<string, z.ZodType>> = {}) {
  return {
    description,
    headers: z.object({ 'X-Request-Id': requestIdAnswer, ...headers }),
    content: { 'application/problem+json': { schema: problemDetails } },
  };
}

/** Schemas of path parameters whose values are listed in tables. */
const pathValues: Readonly<Record<string, z.ZodType>> = {
  environment: z.enum(environments),
  lob: z.enum(lineOfBusinessCodes),
};

function pathParameters(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const schemas = names.map((name) => [name, pathValues[name] ?? z.string().min(1)]);
  return names.length === 0 ? {} : { path: z.object(Object.fromEntries(schemas)) };
}

function operation(name: PortalRouteName): ZodOpenApiOperationObject {
  const route: PortalRoute = portalRoutes[name];
  const request = portalRequests[name];
  const answer = portalAnswers[name];
  const headers = z.object({ 'X-Request-Id': requestIdAnswer });
  return {
    operationId: name,
    summary: route.summary,
    description: accessSentences[route.access],
    tags: [tags[route.function]],
    security: route.access === 'public' ? [] : [{ session: [] }],
    requestParams: {
      ...pathParameters(route.path),
      header: z.object({ 'X-Request-Id': requestIdHeader }),
    },
    ...(request !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: request } } },
    }),
    responses: {
      [route.method === 'GET' ? '200' : '2XX']:
        answer === undefined
          ? { description: 'Done.', headers }
          : { description: route.summary, headers, content: { 'application/json': { schema: answer } } },
      ...problemResponses(problemsOf(route, request !== undefined)),
      default: problem(
        'A problem specific to this call, named by `code`. The list of errors says what to do.',
      ),
    },
  };
}

const tags = {
  'portal-accounts': 'Accounts',
  'portal-applications': 'Applications',
  'portal-operations': 'Operations',
} as const;

const tagWords: Readonly<Record<(typeof tags)[keyof typeof tags], string>> = {
  Accounts: 'Sign-up, sessions, your account and your team.',
  Applications: 'Applications from the sandbox to production, with credentials and calls.',
  Operations: 'Operators’ decisions, and asynchronous jobs of Payer Access.',
};

/** Control characters (`\p{Cc}`) as a range in a pattern. */
const control = '\\u0000-\\u001f\\u007f-\\u009f';
const plainLine = {
  pattern: `^(?=.*\\S)[^${control}<>]*$`,
  description:
    'Plain text on one line, without angle brackets, without invisible characters or bidirectional marks (joiners are allowed where a script or an emoji needs them), and with the letters of one alphabet in each word.',
};
const plainText = {
  pattern: `^(?=[\\s\\S]*\\S)(?:[^${control}]|\\n)*$`,
  description: 'Plain text, without control characters, invisible characters or bidirectional marks.',
};

/**
 * Replaces patterns with `\p{…}`: JSON Schema patterns have no flags, and many tools read `\p{…}` only with the flag `u`. The replacement
 * states the rule as far as it can, and a description states the rest.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-6.4
 */
const portable: NonNullable<Parameters<typeof createDocument>[1]> = {
  override: ({ jsonSchema }) => {
    if (jsonSchema.pattern?.includes('\\p{') !== true) return;
    const { pattern, description } = jsonSchema.pattern.includes('<>') ? plainLine : plainText;
    jsonSchema.pattern = pattern;
    jsonSchema.description ??= description;
  },
};

/** Builds the OpenAPI document of the portal's own API, which its pages call. */
export function portalOpenApi(service: PublishedService): OpenApiDocument {
  const paths: Record<string, ZodOpenApiPathItemObject> = {};
  for (const name of Object.keys(portalRoutes) as PortalRouteName[]) {
    const { path, method } = portalRoutes[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Developer Portal API',
      version: documentVersion,
      description:
        'The API behind the portal’s own pages. A session is a cookie that only pages of the portal’s origin can use: every request other than a GET must have that `Origin`. Problems follow RFC 9457.',
      ...publisherOf(service),
    },
    externalDocs: { url: `${service.portal}/docs`, description: 'Documentation' },
    servers: [{ url: service.portal, description: 'The portal' }],
    tags: Object.values(tags).map((name) => ({ name, description: tagWords[name] })),
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-session' } },
    },
  };
  return createDocument(document, portable);
}
