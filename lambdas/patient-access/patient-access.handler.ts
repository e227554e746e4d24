/** Handler of `patient-access`: the Patient Access API of one LOB (read, search, `$everything`, metadata, SMART configuration). */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createDisclosureRecorder } from '../audit/store/audit-events-contract.ts';
import { apiOrigin, fhirBase } from '../catalog/addresses.ts';
import type { FhirRefusal } from '../catalog/fhir/fhir-refusals.ts';
import { type PatientAccessType, patientAccessTypes } from '../catalog/fhir/fhir-resources.ts';
import type { DataOperation } from '../catalog/fhir/fhir-routes.ts';
import type { Interface } from '../catalog/fhir/interfaces.ts';
import { type MemberContext, memberContext } from '../catalog/oauth/authorizer-context.ts';
import { planBrand } from '../catalog/plan-brand.ts';
import { negotiate } from '../fhir/query/media-type.ts';
import type { CompartmentRequest, SearchAnswer } from '../fhir/query/search-request.ts';
import { matchesEntityTag } from '../fhir/read/entity-tag.ts';
import { bundleResponse, deprecationHeaders, readResponse } from '../fhir/read/read-response.ts';
import { readResource } from '../fhir/read/resource-read.ts';
import { readEverything } from '../fhir/search/everything.ts';
import { searchResources } from '../fhir/search/resource-search.ts';
import { createPatientCompartment } from '../fhir/store/resource-store.ts';
import { dispatchFhir, type FhirHandler } from '../platform/http/fhir-dispatch.ts';
import { fhirDocument, jsonDocument } from '../platform/http/fhir-documents.ts';
import { fhirParameters } from '../platform/http/fhir-parameters.ts';
import { corsHeaders, fhirDialect, fhirRefusal, invalidRequest } from '../platform/http/operation-outcome.ts';
import { createPipeline, header, requestIds } from '../platform/http/pipeline.ts';
import { safeParse } from '../platform/kernel/shapes.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { findDocuments } from './docref.ts';

const {
  tableName,
  environment,
  lineOfBusiness,
  subscriptionKey,
  authOrigin,
  tokenOrigin,
  apiOriginTemplate,
} = readEnvironment([
  'tableName',
  'environment',
  'lineOfBusiness',
  'subscriptionKey',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const table = createSignedTable({ tableName });
const now = systemClock;
/** The interface that this function serves. */
const served: Interface = 'patient-access';
const dependencies = {
  interface: served,
  compartment: createPatientCompartment(table, lineOfBusiness),
  audit: createDisclosureRecorder({ table, lob: lineOfBusiness, environment, now, uuid: systemRandom.uuid }),
  now,
  sha256: digests.sha256Hex,
};

/** Parses the authorizer's context with member and application, or makes the refusal. */
function memberOf(
  event: APIGatewayProxyEvent,
):
  | { readonly kind: 'member'; readonly context: MemberContext }
  | { readonly kind: 'refusal'; readonly refusal: FhirRefusal } {
  const authorizer = event.requestContext.authorizer;
  if (typeof authorizer?.clientId !== 'string') return { kind: 'refusal', refusal: 'key-invalid' };
  // The token of a machine names no patient and no grant (docs/service.md S6.6).
  const context = safeParse(memberContext, authorizer);
  return context === undefined
    ? { kind: 'refusal', refusal: 'insufficient-scope' }
    : { kind: 'member', context };
}

function read(type: PatientAccessType): FhirHandler {
  return async (event, route) => {
    const id = event.pathParameters?.id ?? '';
    const answer = await answerRead(event, type, id);
    const superseded = deprecationHeaders(route, apiOrigin(origins, lineOfBusiness), id);
    return { ...answer, headers: { ...answer.headers, ...superseded } };
  };
}

async function answerRead(
  event: APIGatewayProxyEvent,
  type: PatientAccessType,
  id: string,
): Promise<APIGatewayProxyResult> {
  const member = memberOf(event);
  if (member.kind === 'refusal') return fhirRefusal(member.refusal);
  const asked = fhirParameters(event);
  if (asked.kind === 'refusal') return fhirRefusal(asked.refusal);
  const answer = await readResource(dependencies, {
    type,
    id,
    accept: header(event, 'accept'),
    parameters: asked.parameters,
    ifNoneMatch: header(event, 'if-none-match'),
    ...requestIds(event),
    context: member.context,
  });
  if (answer.kind === 'refusal') return fhirRefusal(answer.refusal);
  if (answer.kind === 'invalid') return invalidRequest(answer.issues);
  const response = readResponse(answer);
  return { ...response, headers: { ...corsHeaders, ...response.headers } };
}

type Search = (request: CompartmentRequest) => Promise<SearchAnswer>;

/** The response of a search: a page of results, or the refusal. */
async function answerSearch(
  event: APIGatewayProxyEvent,
  purpose: 'search' | 'operation',
  search: Search,
): Promise<APIGatewayProxyResult> {
  const member = memberOf(event);
  if (member.kind === 'refusal') return fhirRefusal(member.refusal);
  const read = fhirParameters(event, purpose);
  if (read.kind === 'refusal') return fhirRefusal(read.refusal);
  const answer = await search({
    parameters: read.parameters,
    accept: header(event, 'accept'),
    prefer: header(event, 'prefer'),
    ...requestIds(event),
    context: member.context,
    base: fhirBase(origins, lineOfBusiness, served),
  });
  if (answer.kind === 'refusal') return fhirRefusal(answer.refusal);
  if (answer.kind === 'invalid') return invalidRequest(answer.issues);
  const response = bundleResponse(answer);
  return { ...response, headers: { ...corsHeaders, ...response.headers } };
}

function search(type: PatientAccessType): FhirHandler {
  return (event) =>
    answerSearch(event, 'search', (request) => searchResources(dependencies, { ...request, type }));
}

/** The operation in the path, which may be any text, with its `$` percent-encoded or not. */
function patientOperation(
  event: APIGatewayProxyEvent,
): APIGatewayProxyResult | Promise<APIGatewayProxyResult> {
  const { id = '', operation } = event.pathParameters ?? {};
  if (operation !== '$everything' && operation !== '%24everything') return fhirRefusal('unknown-path');
  return answerSearch(event, 'operation', (request) => readEverything(dependencies, { ...request, id }));
}

function interactions(type: PatientAccessType): readonly (readonly [DataOperation, FhirHandler])[] {
  return [
    [`${type}.read`, read(type)],
    [`${type}.search-type`, search(type)],
  ];
}

/**
 * Serves the Patient Access API of one LOB. Called by applications behind `authorizer`. Reads the records and grants of its LOB; writes
 * audit events only.
 */
export const handler = createPipeline({
  dialect: fhirDialect,
  log: consoleLog,
  handler: dispatchFhir(served, {
    ...Object.fromEntries(patientAccessTypes.flatMap(interactions)),
    'Patient.everything': patientOperation,
    'DocumentReference.docref': (event) =>
      answerSearch(event, 'operation', (request) => findDocuments(dependencies, request)),
    capabilities: fhirDocument(async () => {
      const { capabilityStatement } = await import('../fhir/capability-statement.ts');
      return capabilityStatement({ origins, lob: lineOfBusiness, subscriptionKey }, served);
    }, negotiate),
    'user-access-brands': fhirDocument(
      async () => {
        const { userAccessBrands } = await import('../catalog/user-access-brands.ts');
        return userAccessBrands(origins, lineOfBusiness, planBrand);
      },
      negotiate,
      matchesEntityTag,
    ),
    'smart-configuration': jsonDocument(async () => {
      const { smartConfiguration } = await import('../catalog/oauth/smart-configuration.ts');
      return smartConfiguration(origins, lineOfBusiness);
    }),
  }),
});
