/** Generated parts of the public documentation: sample programs. */

import {
  authorizationServerEndpoints,
  fhirBase,
  machineTokenEndpoint,
} from '../../../../lambdas/catalog/addresses.ts';
import { formatDataScope, resourceTypes } from '../../../../lambdas/catalog/oauth/scopes.ts';
import type { PublishedService } from '../../../../lambdas/catalog/published-service.ts';
import {
  exampleChallenge,
  exampleClientId,
  exampleIntrospection,
  exampleLob,
  exampleMachineTokenResponse,
  exampleScope,
  exampleTokenResponse,
} from '../member-examples.ts';
import {
  type BodyParameter,
  clientCredentialsParameters,
  codeParameters,
  exampleBody,
  refreshParameters,
  tokenParameterSchemas,
} from '../token-requests.ts';
import { type Inserts, pick } from './insert.ts';

/**
 * Requests as they are typed in bash. What is the reader's own stands in variables, which Get started sets.
 * `test/journeys/documentation-samples.test.ts` runs each of them against the running system, as printed.
 */
const redirectUri = 'http://localhost:3000/callback';

const variables: Readonly<Record<string, string>> = {
  client_id: '$CLIENT_ID',
  client_secret: '$CLIENT_SECRET',
  code: '$CODE',
  redirect_uri: '$REDIRECT_URI',
  code_verifier: '$VERIFIER',
  refresh_token: '$REFRESH_TOKEN',
  token: '$ACCESS_TOKEN',
};

/** A field’s value: a variable of the reader’s where it is a secret or used up. */
export const shellValue = ([name, example]: readonly [string, string]) => variables[name] ?? example;

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** The authorization request, a parameter a line. */
function authorizationRequest({ environments: { sandbox } }: PublishedService): string {
  const query = {
    response_type: 'code',
    client_id: exampleClientId,
    redirect_uri: redirectUri,
    scope: exampleScope,
    state: 'af0ifjsldkj',
    aud: fhirBase(sandbox.origins, exampleLob, 'patient-access'),
    code_challenge: exampleChallenge,
    code_challenge_method: 'S256',
  };
  const lines = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const { authorization } = authorizationServerEndpoints(sandbox.origins, exampleLob);
  return `\`\`\`http\n${authorization}?\n  ${lines.join('\n  &')}\n\`\`\``;
}

const lines = (...all: readonly string[]) => `\`\`\`sh\n${all.join(' \\\n  ')}\n\`\`\``;
const basic = `-u "$CLIENT_ID:$CLIENT_SECRET"`;
const bearer = `-H "Authorization: Bearer $ACCESS_TOKEN"`;
const key = `-H "x-api-subscription-key: $SUBSCRIPTION_KEY"`;

const formFields = (body: Readonly<Record<string, string>>) =>
  Object.entries(body).map(([name, example]) => `-d "${name}=${shellValue([name, example])}"`);

/** A JSON body between single quotes, out of which the shell's variables stand. */
function jsonBody(body: Readonly<Record<string, string>>): string {
  const members = Object.entries(body).map((member) => {
    const value = shellValue(member);
    return `"${member[0]}":"${value.startsWith('$') ? `'"${value}"'` : value}"`;
  });
  return `-d '{${members.join(',')}}'`;
}

const request = (parameters: Readonly<Record<string, BodyParameter>>, ...more: readonly string[]) =>
  exampleBody(parameters, ...more);

function samples(service: PublishedService): Readonly<Record<string, string>> {
  const { origins } = service.environments.sandbox;
  const endpoints = authorizationServerEndpoints(origins, exampleLob);
  const fhir = fhirBase(origins, exampleLob, 'patient-access');
  const exchange = request(codeParameters, 'code_verifier');
  const machine = {
    ...request(clientCredentialsParameters(service)),
    client_id: '',
    client_secret: '',
  };
  const json = [`-H 'content-type: application/json'`, `-H 'accept: application/json'`];
  const curl = (url: string, ...rest: readonly string[]) => lines(`curl ${url}`, ...rest);
  const aboutToken = [basic, ...formFields(request(tokenParameterSchemas))];
  return {
    'code json': curl(endpoints.token, basic, ...json, jsonBody(exchange)),
    'code form': curl(endpoints.token, basic, ...formFields(exchange)),
    refresh: curl(endpoints.token, basic, ...formFields(request(refreshParameters))),
    machine: curl(machineTokenEndpoint(origins), key, ...formFields(machine)),
    revoke: curl(endpoints.revocation, '-i', ...aboutToken),
    introspect: curl(endpoints.introspection, ...aboutToken),
    userinfo: curl(endpoints.userInfo, bearer),
    patient: curl(`${fhir}/Patient/$PATIENT`, bearer, key),
    coverage: curl(`${fhir}/Coverage`, bearer, key),
    page: curl(`"${fhir}/Coverage?_count=1"`, bearer, key),
    search: curl(`"${fhir}/ExplanationOfBenefit?service-date=ge2024-01-01&_count=5"`, bearer, key),
    'search form': curl(
      `${fhir}/ExplanationOfBenefit/_search`,
      bearer,
      key,
      '-d "type=pharmacy"',
      '-d "_count=5"',
    ),
    token: curl(
      `-G ${fhir}/ExplanationOfBenefit`,
      bearer,
      key,
      '--data-urlencode "type=http://terminology.hl7.org/CodeSystem/claim-type|pharmacy"',
    ),
    include: curl(
      `"${fhir}/ExplanationOfBenefit?_include=ExplanationOfBenefit:provider&_count=5"`,
      bearer,
      key,
    ),
    everything: curl(`"${fhir}/Patient/$PATIENT/%24everything?_count=50"`, bearer, key),
  };
}

/** The answer to bare `openid`: the application's default, which is each type by name, and no lasting access. */
function shortTokenResponse(service: PublishedService) {
  const { refresh_token: _, ...answer } = exampleTokenResponse(service);
  const types = resourceTypes(['patient-access']);
  const reading = types.map((resourceType) =>
    formatDataScope({ context: 'patient', resourceType, permission: 'read' }),
  );
  return { ...answer, scope: ['openid', ...reading].join(' ') };
}

export const sampleInserts: Inserts = {
  'authorization-request': authorizationRequest,
  'redirect-uri': () => redirectUri,
  sample: (service, argument) => pick(samples(service), argument),
  'token-response': (service, argument) =>
    json(argument === 'openid' ? shortTokenResponse(service) : exampleTokenResponse(service)),
  'machine-token-response': (service) => json(exampleMachineTokenResponse(service)),
  'introspection-response': (service) => json(exampleIntrospection(service)),
};
