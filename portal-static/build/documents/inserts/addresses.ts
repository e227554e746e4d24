/** Generated parts of the public documentation: hosts and addresses. */

import {
  apiOrigin,
  authorizationServerEndpoints,
  type EnvironmentOrigins,
  fhirBase,
  machineTokenEndpoint,
} from '../../../../lambdas/catalog/addresses.ts';
import { type Environment, environments } from '../../../../lambdas/catalog/environments.ts';
import { deprecation, type FhirRoute, fhirRoutes } from '../../../../lambdas/catalog/fhir/fhir-routes.ts';
import { interfaceNames, interfaces, offers } from '../../../../lambdas/catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes, linesOfBusiness } from '../../../../lambdas/catalog/lines-of-business.ts';
import type { PublishedService } from '../../../../lambdas/catalog/published-service.ts';
import { capitalized, code, markdownTable } from '../markdown-table.ts';
import { exampleLob } from '../member-examples.ts';
import { type Inserts, pick } from './insert.ts';

const accesses = {
  public: 'nothing',
  key: 'subscription key',
  member: 'subscription key and access token',
  backend: 'subscription key and access token',
} as const;

/** Makes the insert of an address as code; arguments such as `sandbox auth`, `production token`, `sandbox base`. */
function address(service: PublishedService, argument: string): string {
  const [environment = '', kind = ''] = argument.split(' ');
  const { origins, resourceId } = pick(service.environments, environment);
  const values: Readonly<Record<string, string>> = {
    auth: origins.auth,
    token: origins.token,
    base: apiOrigin(origins, exampleLob),
    fhir: fhirBase(origins, exampleLob, 'patient-access'),
    authorize: authorizationServerEndpoints(origins, exampleLob).authorization,
    'token-endpoint': authorizationServerEndpoints(origins, exampleLob).token,
    'machine-token': machineTokenEndpoint(origins),
    'resource-id': resourceId,
  };
  return pick(values, kind);
}

function linesOfBusinessTable(): string {
  return markdownTable(
    ['Code', 'Line of business', ...interfaceNames.map((name) => interfaces[name].name)],
    lineOfBusinessCodes.map((lob) => [
      code(lob),
      linesOfBusiness[lob].name,
      ...interfaceNames.map((name) => (offers(lob, name) ? 'yes' : 'not applicable')),
    ]),
  );
}

function hostTable({ environments: all }: PublishedService): string {
  const hosts = (origins: EnvironmentOrigins) => [
    ['APIs of a line of business', code(origins.apiTemplate)],
    ['Authorization server', code(origins.auth)],
    ['Machine-to-machine tokens', code(origins.token)],
  ];
  const rows = environments.flatMap((name) =>
    hosts(all[name].origins).map(([what = '', where = '']) => [capitalized(name), what, where]),
  );
  return markdownTable(['Environment', 'Host', 'Address'], rows);
}

function baseTable({ environments: all }: PublishedService, argument: string): string {
  const { origins, linesOfBusiness: deployed } = pick(all, argument);
  return markdownTable(
    ['Line of business', ...interfaceNames.map((name) => `${interfaces[name].name} base`)],
    deployed.map((lob) => [
      lob,
      ...interfaceNames.map((name) =>
        offers(lob, name) ? code(fhirBase(origins, lob, name)) : 'no endpoint',
      ),
    ]),
  );
}

function wordsOf({ operation, method, successor }: FhirRoute): string {
  if (operation === 'capabilities') return 'Metadata (CapabilityStatement)';
  if (operation === 'smart-configuration') return 'SMART configuration';
  if (operation === 'davinci-configuration') return 'Endpoints by the identifier of the plan (HRex)';
  if (operation === 'payer-index') return 'Endpoints by the identifier of the plan (payer index, a draft)';
  if (operation === 'user-access-brands') return 'The plan’s brand for lists of apps (SMART)';
  if (operation === 'Patient.everything') return 'All data of a Patient (operation `$everything`)';
  if (operation === 'DocumentReference.docref') return 'Documents of a Patient (operation `$docref`)';
  if (operation === 'job-status') return 'Status of a job';
  if (operation === 'job-cancel') return 'Cancel a job';
  if (operation === 'job-file') return 'Download a file of a job';
  if (operation === 'Patient.member-match') return 'Match a member';
  if (operation === 'Group.bulk-member-match') return 'Match many members (asynchronous)';
  if (operation === 'Group.davinci-data-export' || operation === 'Group.export')
    return 'Export the data of a group (asynchronous)';
  const [type = '', interaction] = operation.split('.');
  if (interaction !== 'read') return `Search ${type}${method === 'POST' ? ', parameters in a form' : ''}`;
  return `Read ${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}${successor === undefined ? '' : '; deprecated path'}`;
}

/**
 * Makes a table of routes. Arguments: `payer-access` for each route of an interface; `payer-access types together` for one row for the
 * searches of all types.
 */
function routeTable(_service: PublishedService, argument: string): string {
  const [name = '', ...form] = argument.split(' ');
  pick(interfaces, name);
  const routes = fhirRoutes.filter((route) => route.interface === name);
  const described = routes.map((route) =>
    form.length > 0 && isTypeSearch(route) ? searchOfAll(route) : ([route.path, wordsOf(route)] as const),
  );
  const rows = routes.map(({ method, access }, at) => {
    const [path = '', words = ''] = described[at] ?? [];
    return [code(`${method} ${path}`), words, accesses[access]] as const;
  });
  return markdownTable(
    ['Method and path', 'Action', 'Requires'],
    [...new Map(rows.map((row) => [row[0], row])).values()],
  );
}

function isTypeSearch({ operation }: FhirRoute): boolean {
  return operation.endsWith('.search-type') && operation !== 'Group.search-type';
}

const typeOf = ({ operation }: FhirRoute) => operation.split('.')[0] ?? '';

function searchOfAll(route: FhirRoute) {
  const how = route.method === 'POST' ? 'Search a type, parameters in a form' : 'Search a type';
  return [route.path.replace(`/${typeOf(route)}`, '/{type}'), how] as const;
}

/** Lists the resource types that an interface can search. */
function searchTypes(_service: PublishedService, argument: string): string {
  pick(interfaces, argument);
  const searches = fhirRoutes.filter((route) => route.interface === argument && isTypeSearch(route));
  return [...new Set(searches.map(typeOf))].join(', ');
}

function authorizationEndpoints({ environments: all }: PublishedService): string {
  const origins = all.sandbox.origins;
  const endpoints = authorizationServerEndpoints(origins, exampleLob);
  const path = (url: string) =>
    url
      .replace(origins.auth, '{auth_url}')
      .replace(origins.token, '{token_url}')
      .replace(`/${exampleLob.toLowerCase()}/`, '/{lob}/');
  const rows: readonly (readonly [string, string])[] = [
    ['Authorization', `GET ${path(endpoints.authorization)}`],
    ['Token (authorization code, refresh token)', `POST ${path(endpoints.token)}`],
    ['Token (client credentials)', `POST ${path(machineTokenEndpoint(origins))}`],
    ['Revocation', `POST ${path(endpoints.revocation)}`],
    ['Introspection', `POST ${path(endpoints.introspection)}`],
    ['UserInfo', `GET ${path(endpoints.userInfo)}`],
    ['Public keys (JWK Set)', `GET ${path(endpoints.jwks)}`],
  ];
  return markdownTable(
    ['Endpoint', 'Method and address'],
    rows.map(([name, where]) => [name, code(where)]),
  );
}

function resourceIds({ environments: all }: PublishedService): string {
  return markdownTable(
    ['Environment', 'Environment resource ID', 'Scope'],
    environments.map((name: Environment) => [
      capitalized(name),
      code(all[name].resourceId),
      code(`${all[name].resourceId}/.default`),
    ]),
  );
}

/** Explains how programs resolve the documented hosts if they are on the reader's own machine; otherwise empty. */
function oneMachine({ environments: all }: PublishedService): string {
  const hosts = environments.flatMap((name) => {
    const { origins, linesOfBusiness: deployed } = all[name];
    return [origins.auth, origins.token, ...deployed.map((lob) => apiOrigin(origins, lob))];
  });
  const names = hosts.map((origin) => new URL(origin).hostname);
  if (names.some((name) => !name.endsWith('.localhost'))) return '';
  return `These hosts are on your own machine. \`curl\` and browsers resolve names that end in \`.localhost\`. \`fetch\` of Node.js does not (\`ENOTFOUND\`), and Python and other programs may not (\`Name or service not known\`). For them, add this line to \`/etc/hosts\`:\n\n\`\`\`hosts\n127.0.0.1 ${names.join(' ')}\n\`\`\``;
}

/** Names the environments in which a member's call needs the token only; empty if there is none. */
function keyException({ environments: all }: PublishedService): string {
  const optional = environments.filter((name) => all[name].subscriptionKey === 'optional');
  if (optional.length === 0) return '';
  const where = optional.length === environments.length ? 'both environments' : `the ${optional.join('')}`;
  return `In ${where} a call with a member’s access token does not need the subscription key. It counts as a call of the token’s application, whatever key it has.`;
}

export const addressInserts: Inserts = {
  address,
  portal: ({ portal }) => portal,
  'support-email': ({ supportEmail }) => supportEmail,
  'lines-of-business': linesOfBusinessTable,
  hosts: hostTable,
  bases: baseTable,
  routes: routeTable,
  'search-types': searchTypes,
  'deprecated-routes': () =>
    markdownTable(
      ['Path', 'Use instead', 'Deprecated since', 'Served at least until'],
      fhirRoutes.flatMap(({ method, path, successor }) =>
        successor === undefined
          ? []
          : [
              [
                code(`${method} ${path}`),
                code(`${method} ${successor}`),
                deprecation.since,
                deprecation.servedUntil,
              ],
            ],
      ),
    ),
  'authorization-endpoints': authorizationEndpoints,
  'resource-ids': resourceIds,
  'one-machine': oneMachine,
  'key-exception': keyException,
};
