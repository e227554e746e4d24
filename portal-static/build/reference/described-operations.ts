/** The operations of the OpenAPI document, each with its page of the reference. */

import { interfaceNames, interfaces } from '../../../lambdas/catalog/fhir/interfaces.ts';
import {
  type ReferenceChapterName,
  type ReferencePageName,
  referencePagePath,
} from '../../../lambdas/portal/catalog/reference-pages.ts';
import type { FieldSchema } from '../documents/field-rows.ts';
import { headingId } from '../documents/heading-id.ts';
import type { OpenApiDocument } from '../documents/openapi.ts';

export interface DescribedParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: FieldSchema & { readonly enum?: readonly string[]; readonly example?: string };
}

export interface DescribedContent {
  readonly schema?: FieldSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, DescribedContent>>;
}

interface Server {
  /** Origin; `{lob}` stands for the line of business. */
  readonly url: string;
  readonly variables?: { readonly lob: { readonly enum: readonly string[]; readonly default: string } };
}

export interface DescribedOperation {
  readonly chapter: ReferenceChapterName;
  readonly page: ReferencePageName;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Alternatives, each the security schemes that a call needs together. */
  readonly security: readonly Readonly<Record<string, unknown>>[];
  /** Sandbox and production. */
  readonly servers: readonly [Server, Server];
  readonly parameters: readonly DescribedParameter[];
  readonly body: Readonly<Record<string, DescribedContent>>;
  readonly responses: readonly (readonly [status: string, response: DescribedResponse])[];
}

/** An OpenAPI document as JSON, as far as the reference reads it. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, FieldSchema>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
  };
}
interface Operation extends Pick<DescribedOperation, 'operationId' | 'summary' | 'description' | 'security'> {
  readonly tags: readonly string[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: DescribedOperation['body'] };
  readonly responses: Readonly<Record<string, DescribedResponse | { readonly $ref: string }>>;
}

const methods = ['get', 'post', 'delete'] as const;

/** Pages of operations that belong to no resource type. The first match counts. */
const pagesByPath: readonly (readonly [path: RegExp, page: ReferencePageName])[] = [
  [/^\/extfhirproviderdir\/v1\/(?:public\/|\$)/, 'publication'],
  [/member-match$/, 'member-match'],
  [/\/jobs\/|export$/, 'export'],
  [/\/metadata$|\/v1$|(?:smart|davinci)-configuration$|payer-index$|user-access-brands$/, 'metadata'],
  [/\/authorize$/, 'authorize'],
  [/\/userinfo$/, 'userinfo'],
  [/^\/token\/v2$/, 'machine-token'],
  [/\/pub\/\{lob\}\/(?:token|revoke|introspect)$/, 'token'],
  [/well-known|\/jwks$/, 'discovery'],
];

function pageOf(path: string): ReferencePageName {
  const [, type] = /\/([A-Z]\w+)/.exec(path) ?? [];
  const page = pagesByPath.find(([pattern]) => pattern.test(path))?.[1] ?? type;
  if (page === undefined) throw new Error(`no page of the reference has ${path}`);
  return page as ReferencePageName;
}

/** Replaces path parameters that have only one value: `{operation}` by `$everything`. */
function filledPath(path: string, parameters: readonly DescribedParameter[]): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const [value, another] = parameters.find((each) => each.name === name)?.schema.enum ?? [];
    return another === undefined ? (value ?? whole) : whole;
  });
}

/** @returns the operations in the document's order, with responses in the places of their references. */
export function describedOperations(document: OpenApiDocument): readonly DescribedOperation[] {
  const { paths, components } = document as unknown as Document;
  const responseOf = (response: DescribedResponse | { readonly $ref: string }) => {
    if (!('$ref' in response)) return response;
    const name = response.$ref.slice(response.$ref.lastIndexOf('/') + 1);
    return components.responses[name] ?? { description: '' };
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { tags, requestBody, responses, parameters = [], ...own } = operation;
      return [
        {
          ...own,
          parameters,
          path: filledPath(path, parameters),
          method: method.toUpperCase(),
          chapter: interfaceNames.find((name) => interfaces[name].name === tags[0]) ?? 'authorization',
          page: pageOf(path),
          servers: item.servers as unknown as DescribedOperation['servers'],
          body: requestBody?.content ?? {},
          responses: Object.entries(responses).map(
            ([status, response]) => [status, responseOf(response)] as const,
          ),
        },
      ];
    }),
  );
}

/** The named parts of the document's schemas. */
export function namedSchemas(document: OpenApiDocument): Readonly<Record<string, FieldSchema>> {
  return (document as unknown as Document).components.schemas;
}

/** Address of an operation in the reference: `/reference/patient-access/Coverage#search-coverage`. */
export function operationAddress({
  chapter,
  page,
  summary,
}: Pick<DescribedOperation, 'chapter' | 'page' | 'summary'>): string {
  return `${referencePagePath(chapter, page)}#${headingId(summary)}`;
}
