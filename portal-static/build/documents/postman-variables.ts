/** The variables of the Postman collection. */

import { directoryTypes } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { exampleResources } from './claims-examples.ts';
import { exampleChallenge, exampleLob, examplePatient, exampleVerifier } from './member-examples.ts';
import { yourOrganization } from './payer-profile.ts';

/** A name and its value, in Postman's format. */
export interface Pair {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly disabled?: true;
}

/** The variable of a resource type's ID: `coverage_id` for `Coverage`. */
export function idVariable(type: string): string {
  return `${type.toLowerCase()}_id`;
}

/** Lists the collection's variables: the sandbox's addresses, and the application's own values. */
export function postmanVariables({
  environments: { sandbox, production },
}: PublishedService): readonly Pair[] {
  const inPostman = (template: string) => template.replace('{lob}', '{{lob}}');
  return [
    { key: 'lob', value: exampleLob.toLowerCase(), description: 'Code of the line of business.' },
    {
      key: 'base_url',
      value: inPostman(sandbox.origins.apiTemplate),
      description: `In production: ${inPostman(production.origins.apiTemplate)}`,
    },
    {
      key: 'auth_url',
      value: sandbox.origins.auth,
      description: `In production: ${production.origins.auth}`,
    },
    {
      key: 'token_url',
      value: sandbox.origins.token,
      description: `In production: ${production.origins.token}`,
    },
    { key: 'client_id', value: '', description: 'From View Credentials for this environment.' },
    { key: 'client_secret', value: '', description: 'From View Credentials for this environment.' },
    { key: 'subscription_key', value: '', description: 'From View Credentials for this environment.' },
    {
      key: 'redirect_uri',
      value: 'https://oauth.pstmn.io/v1/callback',
      description: 'Must be registered for the application.',
    },
    {
      key: 'resource_id',
      value: sandbox.resourceId,
      description: `Environment resource ID. In production: ${production.resourceId}`,
    },
    { key: 'patient_id', value: examplePatient.id, description: '`patient` of the token response.' },
    ...patientAccessTypes
      .filter((type) => type !== 'Patient')
      .map((type) => ({
        key: idVariable(type),
        value: exampleResources[type].id,
        description: 'Set by the latest search that returned one.',
      })),
    ...directoryTypes
      .filter((type) => !patientAccessTypes.some((served) => served === type))
      .map((type) => ({ key: idVariable(type), value: '', description: 'An ID from a search.' })),
    { key: idVariable('SearchParameter'), value: 'Practitioner-name', description: 'Type and parameter.' },
    { key: idVariable('ConceptMap'), value: 'specialty-words', description: 'The only one.' },
    {
      key: 'payer_access_token',
      value: '',
      description:
        'Another payer’s access token with `system/*.rs`: a token request with a signed assertion returns it (see Back-end services).',
    },
    {
      key: 'organization_npi',
      value: yourOrganization.value,
      description: 'Another payer’s NPI, as an operator verified it: the recipient of each Consent.',
    },
    { key: 'matched_patient_id', value: '', description: 'Set by the latest match of a member.' },
    { key: 'group_id', value: '', description: 'Set by the latest search of groups.' },
    { key: 'job_id', value: '', description: 'Set by the latest job that was accepted.' },
    { key: 'job_file', value: '', description: 'Set by the latest manifest.' },
    { key: 'code', value: '', description: 'The code from the authorization response.' },
    {
      key: 'code_challenge',
      value: exampleChallenge,
      description: 'SHA-256 of `code_verifier`. Generate your own values except for a first test.',
    },
    { key: 'code_verifier', value: exampleVerifier, description: 'The PKCE code verifier.' },
    { key: 'access_token', value: '', description: 'Set by the latest token response.' },
    { key: 'refresh_token', value: '', description: 'Set by the latest token response.' },
    { key: 'token', value: '', description: 'The token to revoke or introspect.' },
  ];
}
