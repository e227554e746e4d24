import * as z from 'zod';
import { localFetch, runningSystem } from './journey.ts';

/** An OpenAPI document that the system publishes, to be compared with the system's answers. */
export interface PublishedApi {
  /** Differences between an answer and the document; empty if they agree. */
  complaints(method: string, url: string, answer: Answered): readonly string[];
  /** Whether the document has the operation. */
  has(method: string, url: string): boolean;
  /** IDs of the operations that have succeeded so far; those of all operations follow. */
  readonly succeeded: ReadonlySet<string>;
  readonly operationIds: readonly string[];
}

export interface Answered {
  readonly status: number;
  /** A header of the answer; undefined if there is none. */
  header(name: string): string | undefined;
  readonly text: string;
}

interface Described {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Described | { readonly $ref: string }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: object;
    readonly responses?: Readonly<Record<string, Described>>;
  };
}

/** @param file `openapi.json` or `portal-openapi.json`, as the portal publishes it */
export async function publishedApi(file: string): Promise<PublishedApi> {
  const answer = await localFetch(`http://portal.localhost:${runningSystem().port}/docs/${file}`);
  const { paths, components } = (await answer.json()) as Document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const succeeded = new Set<string>();
  const schemas = createSchemas(components.schemas);
  const find = (method: string, url: string) =>
    operations
      .filter((each) => each.method === method && matches(each.path, new URL(url).pathname))
      // The path with the fewest parameters: `/team/members` before `/team/{id}`.
      .sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
  return {
    succeeded,
    operationIds: operations.map(({ operation }) => operation.operationId),
    has: (method, url) => find(method, url) !== undefined,
    complaints(method, url, answered) {
      const { pathname } = new URL(url);
      const found = find(method, url);
      if (found === undefined) return [`${method} ${pathname} is not described`];
      const { operationId, responses } = found.operation;
      const { status } = answered;
      const answer = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
      const described =
        answer !== undefined && '$ref' in answer
          ? components.responses?.[answer.$ref.replace('#/components/responses/', '')]
          : answer;
      const about = `${operationId} ${status}`;
      if (described === undefined) return [`${about} is not described`];
      if (status < 400) succeeded.add(operationId);
      return [...headerComplaints(described, answered), ...bodyComplaints(described, answered, schemas)].map(
        (complaint) => `${about}: ${complaint}`,
      );
    },
  };
}

function matches(template: string, pathname: string): boolean {
  const pattern = template.replace(/[.$]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`, 'i').test(pathname);
}

function headerComplaints({ headers = {} }: Described, { header }: Answered): readonly string[] {
  return Object.entries(headers)
    .filter(([name, { required }]) => required === true && header(name) === undefined)
    .map(([name]) => `the header ${name} is missing`);
}

function bodyComplaints(
  { content }: Described,
  { header, text }: Answered,
  schemas: ReturnType<typeof createSchemas>,
): readonly string[] {
  if (content === undefined) return text === '' ? [] : ['a body is not described'];
  const type = header('content-type')?.split(';')[0] ?? '';
  const schema = content[type]?.schema;
  if (schema === undefined) return [`the type ${type} is not described`];
  const value: unknown = type.endsWith('json') ? JSON.parse(text) : text;
  const { error } = schemas.parserOf(schema).safeParse(value);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

/** Makes parsers of schemas, with the document's components as definitions. */
function createSchemas(definitions: object) {
  const local = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/')) as object;
  const $defs = local(definitions);
  const parsers = new Map<object, z.ZodType>();
  return {
    parserOf(schema: object): z.ZodType {
      const parser = parsers.get(schema) ?? z.fromJSONSchema({ ...local(schema), $defs } as never);
      parsers.set(schema, parser);
      return parser;
    },
  };
}
