import { describe, expect, it } from 'vitest';
import { accountDecisionRoutes } from '../../../lambdas/portal/accounts/account-decision-routes.ts';
import { accountRoutes } from '../../../lambdas/portal/accounts/account-routes.ts';
import { type FieldIssue, readConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { PortalRouteHandler } from '../../../lambdas/portal/api/route-handler.ts';
import { applicationRoutes } from '../../../lambdas/portal/applications/application-routes.ts';
import { callRoutes } from '../../../lambdas/portal/applications/call-routes.ts';
import { credentialRoutes } from '../../../lambdas/portal/applications/credential-routes.ts';
import { operationsRoutes } from '../../../lambdas/portal/applications/operations-routes.ts';
import { organizationRoutes } from '../../../lambdas/portal/applications/organization-routes.ts';
import { workspaceRoutes } from '../../../lambdas/portal/applications/workspace-routes.ts';
import type { PortalRouteName } from '../../../lambdas/portal/catalog/portal-routes.ts';
import { portal } from '../../docs/documents.ts';
import { anyText } from '../../support/any-text.ts';
import { type JsonSchema, schemaReader } from '../../support/json-schema.ts';
import fc from '../../support/property.ts';
import { branchOf, nearMisses, textsIn } from './near-misses.ts';
import { requestSamples } from './request-samples.ts';

/**
 * Compares the requests in the portal's OpenAPI document with those that the routes accept: both judge thousands of bodies at the limits of
 * every schema, the document by Ajv.
 */

const nothing = {} as never;
const routes: Readonly<Record<string, PortalRouteHandler>> = {
  ...accountRoutes(nothing),
  ...applicationRoutes(nothing),
  ...callRoutes(nothing),
  ...credentialRoutes(nothing),
  ...workspaceRoutes(nothing),
  ...operationsRoutes(nothing),
  ...organizationRoutes(nothing),
  ...accountDecisionRoutes(nothing),
};

interface Operation {
  readonly operationId: PortalRouteName;
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const document = portal as unknown as Document;
const reader = schemaReader(document.components.schemas);
const published = Object.values(document.paths)
  .flatMap((item) => Object.values(item))
  .flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json'].schema;
    return schema === undefined ? [] : [{ operationId, schema }];
  });

/** Routes whose `configuration` is checked separately, by the rules of an environment. */
const configured: Readonly<Partial<Record<PortalRouteName, 'sandbox' | 'production'>>> = {
  registerApplication: 'sandbox',
  updateSandbox: 'sandbox',
  promote: 'production',
  updateProduction: 'production',
  proposeChange: 'production',
};

/** The field problems that the route reports for a body. */
function refusals(operation: PortalRouteName, body: unknown): readonly FieldIssue[] {
  const schema = routes[operation]?.schema;
  if (schema === undefined) throw new Error(`${operation} takes no body`);
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => ({ path: path as (string | number)[], message }));
  }
  const { configuration } = parsed.data as { readonly configuration?: unknown };
  const environment = configured[operation];
  if (environment === undefined || configuration === undefined) return [];
  const read = readConfiguration(configuration, environment);
  return read.kind === 'configuration'
    ? []
    : read.issues.map(({ path, message }) => ({ path: ['configuration', ...path], message }));
}

/** Rules that a JSON Schema can't express: the message of the refusal, and the words that state the rule in the document. */
const saidInWords: readonly (readonly [message: RegExp, words: RegExp])[] = [
  [/^plain text/, /[Pp]lain text/],
  [/^(visible characters$|text without zero width joiners)/, /invisible characters/],
  [/^use letters of one alphabet in each word$/, /the letters of one alphabet in each word/],
  [/^the same password in both fields$/, /must be the same/],
  [/characters( or more|$)/, /counts code points, as typed and in NFKC/],
  [/check digit/, /check digit/],
  [/^an address /, /as browsers write it/],
  [
    /^(another person’s e-mail|an e-mail address at the company’s domain)/,
    /each with their own e-mail address at/,
  ],
  [
    /^(choose (none|client_credentials|code|each|a line)|leave this empty|at least one address|the address of your keys|use each (kid|address))/,
    /Rules between fields/,
  ],
];

/** The descriptions in the document along the path to a field of a body. */
function wordsAlong(schema: JsonSchema, body: unknown, path: FieldIssue['path']): string {
  const here = branchOf(reader, schema, body);
  const [name, ...rest] = path;
  const said = [schema.description, here.description].join(' ');
  if (name === undefined) return said;
  const inner = (typeof name === 'number' ? here.items : here.properties?.[name]) ?? {};
  const member = (body as Readonly<Record<string, unknown>> | undefined)?.[name];
  return `${said} ${wordsAlong(inner, member, rest)}`;
}

/**
 * Normalizes texts as the routes do: without surrounding blanks, in NFC (`<` and a combining stroke become `≮`), and with the host in
 * lowercase.
 */
const asRead = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    const text = value.trim().normalize('NFC');
    if (name === 'companyEmailDomain') return text.toLowerCase();
    return text.replace(/^[a-z]+:\/\/[^/?#]*/i, (origin) => origin.toLowerCase());
  });

/** The difference between the document's and the route's verdict on a body; undefined if they agree. */
function disagreement(operation: PortalRouteName, schema: JsonSchema, body: unknown): string | undefined {
  const found = refusals(operation, body);
  if (found.length === 0) {
    const isTaken = reader.takes(schema, body) || reader.takes(schema, asRead(body));
    return isTaken ? undefined : 'taken, which the document forbids';
  }
  if (!reader.takes(schema, body)) return undefined;
  const unsaid = found.find(
    ({ path, message }) =>
      !saidInWords.some(([rule, words]) => rule.test(message) && words.test(wordsAlong(schema, body, path))),
  );
  return unsaid === undefined ? undefined : `refused at ${unsaid.path.join('/')}: ${unsaid.message}`;
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the published requests of the portal', () => {
  it('are those of the routes that take a body, and no other', () => {
    const taking = Object.entries(routes).filter(([, { schema }]) => schema !== undefined);
    expect(published.map(({ operationId }) => operationId).sort()).toEqual(
      taking.map(([name]) => name).sort(),
    );
    expect(Object.keys(requestSamples).sort()).toEqual(taking.map(([name]) => name).sort());
  });

  it.each(published)('of $operationId are what it takes, to the last character', ({
    operationId,
    schema,
  }) => {
    for (const sample of requestSamples[operationId] ?? []) {
      expect(reader.takes(schema, sample)).toBe(true);
      expect(refusals(operationId, sample)).toEqual([]);
      const found = nearMisses(reader, schema, sample).flatMap(({ pointer, value }) => {
        const said = disagreement(operationId, schema, asJson(value));
        return said === undefined ? [] : [`${pointer} ${said}`];
      });
      expect([...new Set(found)]).toEqual([]);
    }
  });

  it('take and refuse any text as the routes do', () => {
    const places = published.flatMap(({ operationId, schema }) =>
      (requestSamples[operationId] ?? []).flatMap((sample) =>
        textsIn(sample).map((put) => ({ operationId, schema, put })),
      ),
    );
    expect(places.length).toBeGreaterThan(200);
    const text = fc.oneof(
      ...(['grapheme', 'grapheme-ascii', 'binary-ascii'] as const).map((unit) =>
        fc.string({ unit, maxLength: 40 }),
      ),
      anyText({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), text, ({ operationId, schema, put }, typed) => {
        expect(disagreement(operationId, schema, put(typed.toWellFormed()))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('would be found to differ where they did', () => {
    const [sample] = requestSamples.invite ?? [];
    const loose = { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] } as const;
    const strict = { ...loose, properties: { email: { type: 'string', maxLength: 3 } } } as const;
    expect(disagreement('invite', loose, { email: 'no address' })).toMatch(/^refused at email/);
    expect(disagreement('invite', loose, { ...sample, role: 'operator' })).toMatch(/^refused/);
    expect(disagreement('invite', strict, sample)).toBe('taken, which the document forbids');
  });
});
