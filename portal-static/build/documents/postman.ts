/** Builds the Postman collection from the OpenAPI document. */

import { fhirBase } from '../../../lambdas/catalog/addresses.ts';
import { interfaces } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { payerToPayer } from '../../../lambdas/catalog/payer/export-parameters.ts';
import type { PublishedEnvironment, PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { exampleLob } from './member-examples.ts';
import type { OpenApiDocument } from './openapi.ts';
import { yourOrganization } from './payer-profile.ts';
import { folderOf, inCallOrder, type PostmanEvent, placeInFolder, postmanEvents } from './postman-run.ts';
import { idVariable, type Pair, postmanVariables } from './postman-variables.ts';

/**
 * A Postman collection (format v2.1) of the member-facing interfaces, made from their OpenAPI document. Hosts, LOB and credentials are
 * variables; Postman gets the access token by the collection's OAuth 2.0 settings.
 *
 * @see https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
export interface PostmanCollection {
  readonly info: { readonly name: string; readonly description: string; readonly schema: string };
  readonly auth: PostmanAuth;
  readonly event: readonly PostmanEvent[];
  readonly variable: readonly Pair[];
  readonly item: readonly { readonly name: string; readonly item: readonly PostmanItem[] }[];
}

type PostmanAuth =
  | { readonly type: 'noauth' }
  | { readonly type: 'basic'; readonly basic: readonly TypedPair[] }
  | { readonly type: 'bearer'; readonly bearer: readonly TypedPair[] }
  | { readonly type: 'oauth2'; readonly oauth2: readonly TypedPair[] };
type TypedPair = {
  readonly key: string;
  readonly value: unknown;
  readonly type: 'string' | 'any' | 'boolean';
};

export interface PostmanItem {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query?: readonly Pair[];
    };
    readonly header: readonly Pair[];
    /** Absent: the collection's `auth` applies. */
    readonly auth?: PostmanAuth;
    readonly body?:
      | { readonly mode: 'urlencoded'; readonly urlencoded: readonly Pair[] }
      | {
          readonly mode: 'raw';
          readonly raw: string;
          readonly options: { readonly raw: { readonly language: 'json' } };
        };
  };
  readonly response: readonly never[];
}

/** The parts of an OpenAPI operation that this file reads; `test/docs/postman.test.ts` compares collection and document. */
interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: { readonly example?: unknown; readonly const?: unknown };
}
interface Content {
  readonly example?: Readonly<Record<string, string>>;
  readonly examples?: Readonly<Record<string, Example>>;
}
interface Example {
  readonly summary?: string;
  readonly value: Readonly<Record<string, string>>;
}
interface PathItem {
  readonly servers?: readonly { readonly url: string }[];
  readonly get?: Operation;
  readonly post?: Operation;
  readonly delete?: Operation;
}

const fhirJson = 'application/fhir+json';
const credential = (name: string) => ({ key: name, value: `{{${name}}}`, type: 'string' }) as const;

export function postmanCollection(service: PublishedService, document: OpenApiDocument): PostmanCollection {
  const { sandbox } = service.environments;
  const requests = Object.entries((document.paths ?? {}) as Readonly<Record<string, PathItem>>).flatMap(
    ([path, item]) =>
      (['get', 'post', 'delete'] as const).flatMap((method) => {
        const operation = item[method];
        if (operation === undefined) return [];
        const host = hostVariable(sandbox, item.servers?.[0]?.url ?? '');
        const folder = folderOf(operation.tags?.[0] ?? '', operation.operationId ?? '');
        return postmanItems(host, path, method, operation).map((request) => ({ folder, item: request }));
      }),
  );
  return {
    info: {
      name: document.info.title,
      description: `${document.info.description ?? ''} Set the variables of the collection to your application’s values. Documentation: ${service.portal}/docs`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: memberToken(sandbox),
    event: postmanEvents,
    variable: postmanVariables(service),
    item: inCallOrder(requests.map(({ folder }) => folder)).map((name) => ({
      name,
      item: requests
        .filter(({ folder }) => folder === name)
        .map(({ item }) => item)
        .sort((one, other) => placeInFolder(one.name) - placeInFolder(other.name)),
    })),
  };
}

function hostVariable({ origins }: PublishedEnvironment, url: string): string {
  if (url === origins.auth) return '{{auth_url}}';
  return url === origins.token ? '{{token_url}}' : '{{base_url}}';
}

/** OAuth settings for the authorization code grant with PKCE, in the browser that Postman opens. */
function memberToken({ origins }: PublishedEnvironment): PostmanAuth {
  const aud = fhirBase({ ...origins, apiTemplate: '{{base_url}}' }, exampleLob, 'patient-access');
  return {
    type: 'oauth2',
    oauth2: [
      { key: 'grant_type', value: 'authorization_code_with_pkce', type: 'string' },
      { key: 'authUrl', value: '{{auth_url}}/fhir-oauth2/sec/{{lob}}/authorize', type: 'string' },
      { key: 'accessTokenUrl', value: '{{auth_url}}/fhir-oauth2/pub/{{lob}}/token', type: 'string' },
      { key: 'redirect_uri', value: '{{redirect_uri}}', type: 'string' },
      { key: 'clientId', value: '{{client_id}}', type: 'string' },
      { key: 'clientSecret', value: '{{client_secret}}', type: 'string' },
      { key: 'scope', value: 'openid', type: 'string' },
      { key: 'state', value: '{{$guid}}', type: 'string' },
      { key: 'challengeAlgorithm', value: 'S256', type: 'string' },
      { key: 'client_authentication', value: 'header', type: 'string' },
      { key: 'addTokenTo', value: 'header', type: 'string' },
      { key: 'accessToken', value: '{{access_token}}', type: 'string' },
      {
        key: 'authRequestParams',
        value: [{ key: 'aud', value: aud, enabled: true, send_as: 'request_url' }],
        type: 'any',
      },
    ],
  };
}

/** Values of parameters, most of them variables that hold the user's own values. */
const variableOf: Readonly<Record<string, string>> = {
  lob: '{{lob}}',
  operation: '$everything',
  client_id: '{{client_id}}',
  client_secret: '{{client_secret}}',
  redirect_uri: '{{redirect_uri}}',
  code: '{{code}}',
  code_challenge: '{{code_challenge}}',
  code_verifier: '{{code_verifier}}',
  refresh_token: '{{refresh_token}}',
  token: '{{token}}',
  aud: `{{base_url}}${fhirBase({ auth: '', token: '', apiTemplate: '' }, exampleLob, 'patient-access')}`,
  access_token: '',
  versionId: '1',
  publication: 'from-a-manifest',
  folder: 'bulk',
  file: 'Location-001.ndjson',
  contract: 'H0000',
  year: '2026',
};

/** Values of parameters in requests of Payer Access, which take precedence. */
const payerVariables: Readonly<Record<string, string>> = {
  Patient: '{{matched_patient_id}}',
  Group: '{{group_id}}',
  job: '{{job_id}}',
  file: '{{job_file}}',
  exportType: encodeURIComponent(payerToPayer),
};

function isOfPayer(path: string): boolean {
  return path.startsWith(interfaces['payer-access'].basePath);
}

function isOfFhir(path: string): boolean {
  return Object.values(interfaces).some(({ basePath }) => path.startsWith(basePath));
}

/** The value of a path parameter. The ID in `/Coverage/{id}` is a variable of the type, which a search's script sets. */
function pathValue(path: string, name: string): string {
  const [, type = ''] = /\/(\w+)\/\{id\}/.exec(path) ?? [];
  const own = isOfPayer(path) ? payerVariables[name === 'id' ? type : name] : undefined;
  return own ?? (name === 'id' ? `{{${idVariable(type)}}}` : (variableOf[name] ?? ''));
}

/**
 * The value of a query parameter that depends on the path. A search of Payer Access names its patient, in `_id` for a search for Patient
 * and in `patient` for others. In a FHIR search `code` is the code of a resource, not the authorization code.
 */
function valueAt(path: string, name: string): string | undefined {
  if (name === 'code' && isOfFhir(path)) return path.includes('/Group') ? 'match' : '';
  if (!isOfPayer(path)) return undefined;
  const [, type = ''] = /\/(\w+)(?:\/_search)?$/.exec(path) ?? [];
  if (!['', 'Group'].includes(type) && name === (type === 'Patient' ? '_id' : 'patient')) {
    return payerVariables.Patient;
  }
  return payerVariables[name];
}

function sentValue(name: string, example: unknown): string {
  const value = variableOf[name] ?? (typeof example === 'string' ? example : '');
  return value.replace(/^[0-9a-f-]{36}(?=\/\.default$)/, '{{resource_id}}');
}

/** Makes a request for each example of an operation's body, because the token endpoint accepts both a code and a refresh token. */
function postmanItems(host: string, path: string, method: string, operation: Operation): PostmanItem[] {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const examples: readonly Example[] =
    content?.examples !== undefined ? Object.values(content.examples) : [{ value: content?.example ?? {} }];
  return examples.map(({ summary, value }) => {
    const item = postmanItem(host, path, method, operation);
    const name =
      summary === undefined ? item.name : `${item.name.replace(/ \(.*/, '')}: ${summary.toLowerCase()}`;
    const body = type === undefined ? {} : bodyOf(path, type, value);
    const contentType = { key: 'Content-Type', value: fhirJson };
    const header = type === fhirJson ? [...item.request.header, contentType] : item.request.header;
    return { ...item, name, request: { ...item.request, header, ...body } };
  });
}

function postmanItem(host: string, path: string, method: string, operation: Operation): PostmanItem {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => pathValue(path, name));
  const query = parametersIn('query', path, operation);
  const header = parametersIn('header', path, operation);
  const schemes = Object.keys(Object.assign({}, ...(operation.security ?? [])));
  const auth = authOf(schemes);
  const key = { key: 'x-api-subscription-key', value: '{{subscription_key}}' };
  return {
    name: operation.summary ?? operation.operationId ?? path,
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? operation.summary ?? '',
      url: {
        raw: `${host}${filled}${queryText(query)}`,
        host: [host],
        path: filled.slice(1).split('/'),
        ...(query.length > 0 && { query }),
      },
      header: [...(schemes.includes('subscriptionKey') ? [key] : []), ...header],
      ...(auth !== undefined && { auth }),
    },
    response: [],
  };
}

function queryText(query: readonly Pair[]): string {
  const sent = query.filter(({ disabled }) => disabled === undefined);
  return sent.length === 0 ? '' : `?${sent.map(({ key, value }) => `${key}=${value}`).join('&')}`;
}

/** Lists the parameters of an operation; optional ones without an example are disabled. */
function parametersIn(place: string, path: string, { parameters = [] }: Operation): readonly Pair[] {
  return parameters
    .filter((each) => each.in === place)
    .map(({ name, required, description, example, schema }) => {
      const value = valueAt(path, name) ?? sentValue(name, example ?? schema?.example ?? schema?.const);
      const on = required === true || (place === 'query' && value !== '');
      return {
        key: name,
        value,
        ...(description !== undefined && { description }),
        ...(!on && { disabled: true as const }),
      };
    });
}

function authOf(schemes: readonly string[]): PostmanAuth | undefined {
  if (schemes.includes('memberToken')) return undefined;
  if (schemes.includes('backendToken'))
    return { type: 'bearer', bearer: [{ ...credential('payer_access_token'), key: 'token' }] };
  if (schemes.includes('subscriptionKey') || !schemes.includes('clientSecretBasic'))
    return { type: 'noauth' };
  const [username, password] = [credential('client_id'), credential('client_secret')];
  return {
    type: 'basic',
    basic: [
      { ...username, key: 'username' },
      { ...password, key: 'password' },
    ],
  };
}

function bodyOf(
  path: string,
  type: string,
  example: Readonly<Record<string, string>>,
): Pick<PostmanItem['request'], 'body'> {
  const asRaw = (value: unknown) => ({
    body: {
      mode: 'raw' as const,
      raw: JSON.stringify(value, null, 2).replaceAll(yourOrganization.value, '{{organization_npi}}'),
      options: { raw: { language: 'json' as const } },
    },
  });
  if (type === fhirJson) return asRaw(example);
  const values = Object.entries(example).map(([key, value]) => ({
    key,
    value: valueAt(path, key) ?? sentValue(key, value),
  }));
  return type === 'application/json'
    ? asRaw(Object.fromEntries(values.map(({ key, value }) => [key, value])))
    : { body: { mode: 'urlencoded', urlencoded: values } };
}
