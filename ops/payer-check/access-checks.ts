/** Checks of discovery, tokens, and the credentials of a call. */

import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose';
import { type HttpResponse, headerText } from '../http/client.ts';
import type { PayerCheck } from './check.ts';
import {
  CheckFailure,
  expectHeader,
  expectOutcome,
  expectStatus,
  expectThat,
  expectTokenError,
  jsonBody,
} from './expectations.ts';
import type { Partner } from './partner.ts';

const smart = 'SMART App Launch 2.2, Conformance';
const backend = 'SMART App Launch 2.2, Backend Services';
const capability = 'FHIR R4, capabilities';

const wanted = ['member-match', 'bulk-member-match', 'davinci-data-export', 'export'];

async function operationsOf(partner: Partner) {
  const { rest } = await partner.capabilities();
  const [{ resource = [] } = {}] = (rest ?? []) as readonly {
    readonly resource?: readonly {
      readonly type: string;
      readonly operation?: readonly { readonly name: string; readonly definition?: string }[];
    }[];
  }[];
  return resource.flatMap(({ operation = [] }) => operation);
}

async function expectRefusedAssertion(
  partner: Partner,
  claims: Readonly<Record<string, unknown>>,
): Promise<void> {
  expectTokenError(await partner.requestToken(await partner.assertion(claims)), 'invalid_client');
}

/** Text of a refused token request with the claims of its assertion, so that the wrong claim can be found. */
function refusedAssertion(response: HttpResponse, assertion: string): string {
  const { kid = 'none', alg } = decodeProtectedHeader(assertion);
  const { iss, sub, aud, exp = 0 } = decodeJwt(assertion);
  const date = Date.parse(headerText(response, 'date') ?? '');
  const clock = Number.isNaN(date) ? Date.now() : date;
  const seconds = Math.round(exp - clock / 1000);
  return [
    `${response.status} ${response.body.slice(0, 300)}`,
    `The assertion had kid ${kid}, alg ${alg}, iss ${iss}, sub ${sub}, aud ${aud}, and ${seconds} seconds until exp by the payer’s clock.`,
    'The public key with this kid must be registered for this client ID, and be of the private key that signed.',
  ].join('\n      ');
}

export const accessChecks: readonly PayerCheck[] = [
  {
    name: 'SMART configuration names client_credentials and private_key_jwt',
    section: smart,
    isPrerequisite: true,
    async run(partner) {
      const found = await partner.smartConfiguration();
      for (const [field, value] of [
        ['grant_types_supported', 'client_credentials'],
        ['token_endpoint_auth_methods_supported', 'private_key_jwt'],
        ['token_endpoint_auth_signing_alg_values_supported', partner.algorithm],
      ] as const) {
        const values = found[field];
        expectThat(
          Array.isArray(values) && values.includes(value),
          `${field} with ${value}`,
          JSON.stringify(values),
        );
      }
    },
  },
  {
    name: 'CapabilityStatement is of FHIR 4.0.1 and has Patient and Group',
    section: capability,
    async run(partner) {
      const { resourceType, fhirVersion, rest } = await partner.capabilities();
      expectThat(
        resourceType === 'CapabilityStatement' && fhirVersion === '4.0.1',
        'a CapabilityStatement of 4.0.1',
        `${resourceType} ${fhirVersion}`,
      );
      const text = JSON.stringify(rest);
      for (const type of ['Patient', 'Group'])
        expectThat(text.includes(`"type":"${type}"`), `the type ${type}`, 'none');
    },
  },
  {
    name: 'each operation has the URL of its OperationDefinition',
    section: capability,
    async run(partner) {
      const operations = await operationsOf(partner);
      for (const name of wanted) {
        const definition = operations.find((each) => each.name === name)?.definition ?? '';
        expectThat(
          definition.includes('/OperationDefinition/'),
          `the operation ${name} with its definition`,
          definition === '' ? 'none' : definition,
        );
      }
    },
  },
  {
    name: 'a token by private_key_jwt',
    section: backend,
    isPrerequisite: true,
    async run(partner) {
      const assertion = await partner.assertion();
      const response = await partner.requestToken(assertion);
      if (response.status !== 200)
        throw new CheckFailure('status 200', refusedAssertion(response, assertion));
      expectHeader(response, 'cache-control', /no-store/);
      const { token_type: type, expires_in: seconds, scope } = jsonBody(response);
      expectThat(type === 'Bearer' || type === 'bearer', 'token_type Bearer', String(type));
      expectThat(
        typeof seconds === 'number' && seconds > 0 && seconds <= 300,
        'expires_in of 300 at most',
        String(seconds),
      );
      expectThat(
        typeof scope === 'string' && scope.startsWith('system/'),
        'the granted scope',
        String(scope),
      );
    },
  },
  {
    name: 'an assertion for another audience is refused',
    section: backend,
    run: (partner) => expectRefusedAssertion(partner, { aud: 'https://token.example.org/token' }),
  },
  {
    name: 'an expired assertion is refused',
    section: backend,
    run: (partner) => expectRefusedAssertion(partner, { exp: Math.floor(Date.now() / 1000) - 120 }),
  },
  {
    name: 'an assertion is accepted once',
    section: backend,
    async run(partner) {
      const assertion = await partner.assertion();
      expectStatus(await partner.requestToken(assertion), 200);
      expectTokenError(await partner.requestToken(assertion), 'invalid_client');
    },
  },
  {
    name: 'an assertion that another key signed is refused',
    section: backend,
    async run(partner) {
      const { privateKey } = await generateKeyPair(partner.algorithm);
      expectTokenError(await partner.requestToken(await partner.assertion({}, privateKey)), 'invalid_client');
    },
  },
  {
    name: 'a scope of members’ applications is refused',
    section: backend,
    async run(partner) {
      expectTokenError(
        await partner.requestToken(await partner.assertion(), 'patient/Patient.rs'),
        'invalid_scope',
      );
    },
  },
  {
    name: 'a call without a token is refused',
    section: backend,
    async run(partner) {
      const response = await partner.open(`Group/${randomUUID()}`);
      expectOutcome(response, 401);
    },
  },
  {
    name: 'a call with a token that nobody issued is refused',
    section: backend,
    async run(partner) {
      const response = await partner.get(`Group/${randomUUID()}`, { authorization: 'Bearer not.a.token' });
      expectOutcome(response, 401);
      expectThat(
        headerText(response, 'content-type')?.includes('json') === true,
        'JSON',
        String(headerText(response, 'content-type')),
      );
    },
  },
];
