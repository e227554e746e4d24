import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { apiOrigin } from '../catalog/addresses.ts';
import { smartConfiguration } from '../catalog/authorization-server-metadata.ts';
import { memberContext } from '../catalog/authorizer-context.ts';
import type { FhirRoute } from '../catalog/fhir-routes.ts';
import { fhirDocument, jsonDocument } from '../gateway/fhir-documents.ts';
import { dispatchFhir } from '../gateway/fhir-route.ts';
import { corsHeaders, fhirDialect, fhirRefusal } from '../gateway/operation-outcome.ts';
import { createPipeline, header, requestIdOf } from '../gateway/pipeline.ts';
import { systemClock } from '../runtime/clock.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { createAuditTrail } from '../storage/audit-store.ts';
import { createPatientCompartment } from '../storage/resource-store.ts';
import { createSignedTable } from '../storage/signed-table.ts';
import { capabilityStatement } from './capability-statement.ts';
import { negotiate } from './media-type.ts';
import { readPatient } from './patient-read.ts';
import { deprecationHeaders, readResponse } from './read-response.ts';

const { tableName, environment, lineOfBusiness, authOrigin, tokenOrigin, apiOriginTemplate } =
  readEnvironment([
    'tableName',
    'environment',
    'lineOfBusiness',
    'authOrigin',
    'tokenOrigin',
    'apiOriginTemplate',
  ]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const table = createSignedTable({ tableName });
const now = systemClock;
const dependencies = {
  compartment: createPatientCompartment(table, lineOfBusiness),
  audit: createAuditTrail({ table, lob: lineOfBusiness, environment, now, uuid: systemRandom.uuid }),
  now,
};

async function patient(event: APIGatewayProxyEvent, route: FhirRoute): Promise<APIGatewayProxyResult> {
  const id = event.pathParameters?.id ?? '';
  const answer = await read(event, id);
  const superseded = deprecationHeaders(route, apiOrigin(origins, lineOfBusiness), id);
  return { ...answer, headers: { ...answer.headers, ...superseded } };
}

async function read(event: APIGatewayProxyEvent, id: string): Promise<APIGatewayProxyResult> {
  const authorizer = event.requestContext.authorizer;
  if (typeof authorizer?.clientId !== 'string') return fhirRefusal('key-invalid');
  const context = memberContext.safeParse(authorizer);
  // A machine's token names no patient and no grant (service description, Authentication, row 4).
  if (!context.success) return fhirRefusal('insufficient-scope');
  const answer = await readPatient(dependencies, {
    id,
    accept: header(event, 'accept'),
    format: event.queryStringParameters?._format,
    ifNoneMatch: header(event, 'if-none-match'),
    requestId: requestIdOf(event),
    context: context.data,
  });
  if (answer.kind === 'refusal') return fhirRefusal(answer.refusal);
  const response = readResponse(answer);
  return { ...response, headers: { ...corsHeaders, ...response.headers } };
}

export const handler = createPipeline({
  dialect: fhirDialect,
  log: consoleLog,
  handler: dispatchFhir('patient-access', {
    'Patient.read': patient,
    capabilities: fhirDocument(
      () => capabilityStatement(origins, lineOfBusiness, 'patient-access'),
      negotiate,
    ),
    'smart-configuration': jsonDocument(() => smartConfiguration(origins, lineOfBusiness)),
  }),
});
