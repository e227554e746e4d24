import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { fhirRoutes, type RouteAccess } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { interfaces, offers } from '../../lambdas/catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { portalRoutes } from '../../lambdas/portal/catalog/portal-routes.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { resourceSchemas } from '../../portal-static/build/documents/claims-schemas.ts';
import { portalRequests } from '../../portal-static/build/documents/portal-requests.ts';
import { type Document, member, operationsOf, portal, responsesOf, service } from './documents.ts';

/** All values of properties with this name, at any depth. */
function valuesOf(name: string, value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...valuesOf(name, member),
  ]);
}

/** Parsers made so far, by document and schema. Making a parser takes a tenth of a second. */
const parsers = new Map<Document, Map<string, z.ZodType>>();

/** Returns a parser of a schema of the document, with the document's components as definitions. */
function parserOf(document: Document, schema: unknown): z.ZodType {
  const local = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/')) as object;
  const made = parsers.get(document) ?? new Map<string, z.ZodType>();
  parsers.set(document, made);
  const text = JSON.stringify(schema);
  const parser =
    made.get(text) ??
    z.fromJSONSchema({ ...local(schema), $defs: local(document.components.schemas) } as never);
  made.set(text, parser);
  return parser;
}

function examplesOf(document: Document) {
  return operationsOf(document).flatMap(({ id, operation }) =>
    [operation.requestBody, ...responsesOf(document, operation).map(([, response]) => response)].flatMap(
      (part) =>
        Object.entries(part?.content ?? {}).flatMap(([type, { schema, example, examples }]) =>
          [
            ...(example === undefined ? [] : [example]),
            ...Object.values(examples ?? {}).map(({ value }) => value),
          ].map((value) => ({ id, type, schema, value })),
        ),
    ),
  );
}

describe.each([
  ['openapi.json', member],
  ['portal-openapi.json', portal],
])('%s', (_, document) => {
  const operations = operationsOf(document);

  it('is an OpenAPI 3.1 document whose references all lead somewhere', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    const references = valuesOf('$ref', document) as readonly string[];
    expect(references.length).toBeGreaterThan(20);
    const { schemas, responses = {} } = document.components;
    const known = new Set(
      Object.entries({ schemas, responses }).flatMap(([kind, named]) =>
        Object.keys(named).map((name) => `#/components/${kind}/${name}`),
      ),
    );
    expect(references.filter((reference) => !known.has(reference))).toEqual([]);
  });

  it('gives every operation an id of its own, a summary, a known tag and answers', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(operations.map(({ operation }) => operation.summary)).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { id, operation } of operations) {
      expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
      expect(operation.summary, id).toBeTruthy();
      expect(operation.tags, id).toHaveLength(1);
      expect(tags, id).toContain(operation.tags?.[0]);
      expect(
        Object.keys(operation.responses ?? {}).some((status) => /^[23]/.test(status)),
        id,
      ).toBe(true);
      for (const [status, response] of responsesOf(document, operation)) {
        expect(status, id).toMatch(/^([2-5](\d\d|XX)|default)$/);
        expect(response.description, `${id} ${status}`).toBeTruthy();
      }
    }
  });

  it('describes just the parameters its paths have', () => {
    for (const { id, path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (operation.parameters ?? []).filter((each) => each.in === 'path');
      expect(
        described.map(({ name }) => name),
        id,
      ).toEqual(inPath);
      expect(
        described.every(({ required }) => required),
        id,
      ).toBe(true);
    }
  });

  it('names only security schemes it has', () => {
    for (const { id, operation } of operations) {
      const names = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement));
      expect(operation.security, id).toBeDefined();
      for (const name of names) expect(Object.keys(document.components.securitySchemes), id).toContain(name);
    }
  });

  it('has no example its schema would refuse', () => {
    for (const { id, type, schema, value } of examplesOf(document)) {
      const parsed = parserOf(document, schema).safeParse(value);
      expect(parsed.error?.issues ?? [], `${id} ${type}`).toEqual([]);
    }
  });
});

describe('the member-facing document', () => {
  const documented = operationsOf(member);

  it('has every FHIR route of the table, and says which is deprecated', () => {
    for (const route of fhirRoutes) {
      const found = documented.find((each) => each.method === route.method && each.path === route.path);
      expect(found, route.path).toBeDefined();
      expect(found?.operation.deprecated === true, route.path).toBe(route.successor !== undefined);
      const schemes = Object.keys(Object.assign({}, ...(found?.operation.security ?? [])));
      const expected: Readonly<Partial<Record<RouteAccess, readonly string[]>>> = {
        public: [],
        key: ['subscriptionKey'],
        member: ['subscriptionKey', 'memberToken'],
        backend: ['subscriptionKey', 'backendToken'],
      };
      expect(schemes, route.path).toEqual(expected[route.access]);
    }
  });

  it('offers each interface on the hosts of the lines of business that have it', () => {
    for (const { path, item } of documented) {
      const name = Object.entries(interfaces).find(([, { basePath }]) => path.startsWith(basePath))?.[0];
      if (name === undefined) continue;
      const codes = lineOfBusinessCodes.filter((lob) => offers(lob, name as keyof typeof interfaces));
      for (const server of item.servers ?? []) {
        expect(server.variables?.lob?.enum, path).toEqual(codes.map((code) => code.toLowerCase()));
      }
      expect(item.servers?.map(({ url }) => url)).toEqual([
        service.environments.sandbox.origins.apiTemplate,
        service.environments.production.origins.apiTemplate,
      ]);
    }
  });

  it.each(patientAccessTypes)('describes the %s that is sent, in both of its forms', (type) => {
    const sent = syntheticMembers('sandbox').flatMap(({ resources }) =>
      resources.filter(({ resourceType }) => resourceType === type),
    );
    for (const { json, fhirJson } of sent) {
      for (const text of [json, fhirJson ?? json]) {
        const parsed = resourceSchemas[type].safeParse(JSON.parse(text));
        expect(parsed.error?.issues ?? []).toEqual([]);
        const described = Object.keys(resourceSchemas[type].shape);
        // The schemas of other types describe only part of their elements.
        if (type === 'Patient') expect(Object.keys(JSON.parse(text))).toEqual(described);
      }
    }
    if (type === 'Patient') expect(sent.length).toBeGreaterThan(5);
  });
});

describe('the document of the portal’s API', () => {
  it('has every route of the table, and no other', () => {
    const documented = operationsOf(portal).map(({ id, method, path }) => ({ id, method, path }));
    const routes = Object.entries(portalRoutes).map(([id, { method, path }]) => ({ id, method, path }));
    const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
    expect(documented.sort(byId)).toEqual(routes.sort(byId));
  });

  it('has no pattern that means something else without a flag', () => {
    const patterns = valuesOf('pattern', portal) as readonly string[];
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => pattern.includes('\\p{'))).toEqual([]);
  });

  it('takes a body where the route changes something by more than its address, and only there', () => {
    for (const { id, method, operation } of operationsOf(portal)) {
      const expected = id in portalRequests;
      expect(operation.requestBody !== undefined, id).toBe(expected);
      if (method === 'GET') expect(expected, id).toBe(false);
    }
  });

  it('refuses a field nobody described', () => {
    const signUp = operationsOf(portal).find(({ id }) => id === 'signUp');
    const schema = signUp?.operation.requestBody?.content['application/json']?.schema;
    const parsed = parserOf(portal, schema).safeParse({ developerType: 'individual', role: 'operator' });
    expect(parsed.success).toBe(false);
    expect(valuesOf('additionalProperties', schema)).toContain(false);
  });
});
