import { publishedService } from '../../lib/config/published-service.ts';
import { readConfigurations, readPortalConfiguration } from '../../lib/config/read-configurations.ts';
import { memberOpenApi } from '../../portal-static/build/documents/openapi.ts';
import { portalOpenApi } from '../../portal-static/build/documents/portal-openapi.ts';
import { postmanCollection } from '../../portal-static/build/documents/postman.ts';

const configurations = readConfigurations({});

/** Published values of the service, from the configuration files of the repository. */
export const service = publishedService(readPortalConfiguration({}, configurations), configurations);

interface MediaType {
  readonly schema?: unknown;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Readonly<Record<string, unknown>>;
}
export interface Response {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}
interface Reference {
  /** `#/components/responses/<name>` */
  readonly $ref: string;
}
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses?: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly tags?: readonly string[];
}
interface Server {
  readonly url: string;
  readonly variables?: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly default: string }>
  >;
}
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type PathItem = { readonly [Method in (typeof methods)[number]]?: Operation } & {
  readonly servers?: readonly Server[];
};

/** An OpenAPI document, as far as tests read it. */
export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly responses?: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Document;
const memberDocument = memberOpenApi(service);
export const member = asJson(memberDocument);
export const portal = asJson(portalOpenApi(service));
export const postman = postmanCollection(service, memberDocument);

export interface Documented {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly item: PathItem;
  readonly operation: Operation;
}

export function operationsOf(document: Document): readonly Documented[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      return [{ id: operation.operationId ?? '', method: method.toUpperCase(), path, item, operation }];
    }),
  );
}

/** The responses of an operation by status, with references to components resolved. */
export function responsesOf(
  { components }: Document,
  { responses = {} }: Operation,
): readonly (readonly [status: string, response: Response])[] {
  return Object.entries(responses).map(([status, response]) => {
    if (!('$ref' in response)) return [status, response];
    const found = components.responses?.[response.$ref.replace('#/components/responses/', '')];
    if (found === undefined) throw new Error(`${response.$ref} leads nowhere`);
    return [status, found];
  });
}

export const howToUpdate =
  'after a change of a table: npx vitest run --project unit test/docs --update writes the contracts anew';
