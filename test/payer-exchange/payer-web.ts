import type { PayerWebAnswer } from '../../lambdas/payer-exchange/discovery/payer-web-port.ts';
import type { GuardedWeb } from '../../lambdas/payer-exchange/discovery/read-document.ts';

type Answer = PayerWebAnswer | object;

export const origins = {
  auth: 'https://auth.plan.example',
  token: 'https://token.plan.example',
  apiTemplate: 'https://{lob}.api.plan.example',
};

export const smartConfiguration = {
  token_endpoint: 'https://login.former.test/token',
  token_endpoint_auth_methods_supported: ['private_key_jwt'],
  grant_types_supported: ['client_credentials'],
};

export const capabilities = {
  resourceType: 'CapabilityStatement',
  fhirVersion: '4.0.1',
  publisher: 'Former Plan',
  implementationGuide: [
    'http://hl7.org/fhir/us/davinci-pdex/ImplementationGuide/hl7.fhir.us.davinci-pdex|2.1.0',
  ],
  rest: [{ mode: 'server', resource: [{ type: 'Group', operation: [{ name: 'bulk-member-match' }] }] }],
};

export const naic = (value: string) => ({ system: 'urn:oid:2.16.840.1.113883.6.300', value });

export const base = 'https://api.former.test/p2p/fhir';

export const configuration = (key = 'davinci_pdex_payer_endpoint#2.2', address = base) => ({
  identifier: naic('54321'),
  endpoints: { [key]: address },
});

/** The documents of a payer that publishes everything. */
export const published = (): Record<string, Answer> => ({
  'https://former.test/.well-known/davinci-configuration': configuration(),
  [`${base}/.well-known/smart-configuration`]: smartConfiguration,
  [`${base}/metadata`]: capabilities,
});

export function answerOf(value: unknown, more: object = {}): PayerWebAnswer {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { kind: 'answer', status: 200, headers: { 'content-type': 'application/json' }, text, ...more };
}

export const redirectTo = (location: string) => answerOf('', { status: 302, headers: { location } });

/** A web with these documents and no others, which records the addresses it was asked for. */
export function webOf(documents: Readonly<Record<string, Answer>>, loopback = false) {
  const asked: string[] = [];
  const web: GuardedWeb = {
    rules: { origins, loopback },
    web: async (address) => {
      asked.push(address);
      const found = documents[address];
      if (found === undefined) return answerOf('', { status: 404 });
      return 'kind' in found ? (found as PayerWebAnswer) : answerOf(found);
    },
  };
  return { ...web, asked };
}
