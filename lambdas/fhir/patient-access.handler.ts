import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { apiOrigin } from '../catalog/addresses.ts';
import { smartConfiguration } from '../catalog/authorization-server-metadata.ts';
import { type MemberContext, memberContext } from '../catalog/authorizer-context.ts';
import type { FhirRefusal } from '../catalog/fhir-refusals.ts';
import { type PatientAccessType, patientAccessTypes } from '../catalog/fhir-resources.ts';
import { fhirDocument, jsonDocument } from '../gateway/fhir-documents.ts';
import { dispatchFhir, type FhirHandler } from '../gateway/fhir-route.ts';
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
import { deprecationHeaders, readResponse } from './read-response.ts';
import { readResource } from './resource-read.ts';

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

/** What the authorizer says of the member and the application; else the refusal. */
function memberOf(event: APIGatewayProxyEvent): MemberContext | FhirRefusal {
  const authorizer = event.requestContext.authorizer;
  if (typeof authorizer?.clientId !== 'string') return 'key-invalid';
  const context = memberContext.safeParse(authorizer);
  // A machine's token names no patient and no grant (service description, Authentication, row 4).
  return context.success ? context.data : 'insufficient-scope';
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
  const context = memberOf(event);
  if (typeof context === 'string') return fhirRefusal(context);
  const answer = await readResource(dependencies, {
    type,
    id,
    accept: header(event, 'accept'),
    format: event.queryStringParameters?._format,
    ifNoneMatch: header(event, 'if-none-match'),
    requestId: requestIdOf(event),
    context,
  });
  if (answer.kind === 'refusal') return fhirRefusal(answer.refusal);
  const response = readResponse(answer);
  return { ...response, headers: { ...corsHeaders, ...response.headers } };
}

export const handler = createPipeline({
  dialect: fhirDialect,
  log: consoleLog,
  handler: dispatchFhir('patient-access', {
    ...Object.fromEntries(patientAccessTypes.map((type) => [`${type}.read`, read(type)])),
    capabilities: fhirDocument(
      () => capabilityStatement(origins, lineOfBusiness, 'patient-access'),
      negotiate,
    ),
    'smart-configuration': jsonDocument(() => smartConfiguration(origins, lineOfBusiness)),
  }),
});
