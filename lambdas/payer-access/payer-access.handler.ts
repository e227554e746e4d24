/** Handler of `payer-access`: the Payer Access API of one LOB (matches of members and their data, groups, asynchronous jobs, metadata). */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { fhirBase } from '../catalog/addresses.ts';
import { linesOfBusiness } from '../catalog/lines-of-business.ts';
import { backendContext } from '../catalog/oauth/authorizer-context.ts';
import { payerSmartConfiguration } from '../catalog/oauth/smart-configuration.ts';
import { jobLimits } from '../catalog/payer/job-kinds.ts';
import { memberMatchLimits } from '../catalog/payer/member-match-rules.ts';
import { organizationIdentifierKinds } from '../catalog/payer/organization-identifiers.ts';
import { davinciConfiguration, payerIndex } from '../catalog/payer/published-payer.ts';
import { planBrand } from '../catalog/plan-brand.ts';
import { capabilityStatement } from '../fhir/capability-statement.ts';
import { negotiate } from '../fhir/query/media-type.ts';
import { dispatchFhir } from '../platform/http/fhir-dispatch.ts';
import { fhirDocument, jsonDocument } from '../platform/http/fhir-documents.ts';
import {
  corsHeaders,
  fhirDialect,
  fhirRefusal,
  invalidRequest,
  tooManyMatches,
  unprocessableRequest,
} from '../platform/http/operation-outcome.ts';
import { bodyText, contentTypeOf } from '../platform/http/parameters.ts';
import { createPipeline, header, requestIds } from '../platform/http/pipeline.ts';
import { answerAtStep } from '../platform/kernel/answer-steps.ts';
import { matchFailuresByApplication } from '../platform/kernel/rates.ts';
import { safeParse } from '../platform/kernel/shapes.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { dnsNamespace, nameUuid } from '../platform/runtime/name-uuid.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { systemTimer } from '../platform/runtime/timer.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { composePayerData } from './compose-payer-data.ts';
import { composePayerJobs } from './compose-payer-jobs.ts';
import { isNotMatched, matchMember } from './match/member-match.ts';
import { payerCapabilities } from './payer-capabilities.ts';
import { createMatchLimits } from './store/match-limits.ts';
import { createMatchStore } from './store/payer-matches.ts';

const {
  tableName,
  environment,
  lineOfBusiness,
  subscriptionKey,
  resourceId,
  authOrigin,
  tokenOrigin,
  apiOriginTemplate,
  jobBucket,
  jobStateMachine,
  planIdentifiers,
  portalOrigin,
} = readEnvironment([
  'tableName',
  'environment',
  'lineOfBusiness',
  'subscriptionKey',
  'resourceId',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'jobBucket',
  'jobStateMachine',
  'planIdentifiers',
  'portalOrigin',
]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const host = { origins, lob: lineOfBusiness, subscriptionKey };
const table = createSignedTable({ tableName });
const now = systemClock;
const base = fhirBase(origins, lineOfBusiness, 'payer-access');
const matching = {
  store: createMatchStore(table, { lob: lineOfBusiness, environment, now, uuid: systemRandom.uuid }),
  limits: createMatchLimits(table, lineOfBusiness, matchFailuresByApplication),
  sha256: digests.sha256Hex,
  now,
};

const jobHandlers = composePayerJobs({
  table,
  base,
  environment,
  jobBucket,
  jobStateMachine,
  now,
  lob: lineOfBusiness,
  payers: matching.store,
  uuid: systemRandom.uuid,
});

const dataHandlers = composePayerData({
  table,
  base,
  environment,
  now,
  lob: lineOfBusiness,
  payers: matching.store,
  uuid: systemRandom.uuid,
});

const { [lineOfBusiness]: identifiers = [] } = planIdentifiers;
const [identifier] = identifiers;
const naic = identifiers.find(({ system }) => system === organizationIdentifierKinds.naic.system)?.value;

/** The documents by which other payers find this LOB. A plan without the identifier that a document requires does not have it. */
const discoveryHandlers = {
  ...(identifier !== undefined && {
    'davinci-configuration': jsonDocument(() => davinciConfiguration(origins, lineOfBusiness, identifier)),
  }),
  ...(naic !== undefined && {
    'payer-index': jsonDocument(() =>
      payerIndex(origins, lineOfBusiness, {
        name: planBrand?.name ?? linesOfBusiness[lineOfBusiness].name,
        naic,
        fpi: nameUuid(nameUuid(dnsNamespace, 'NAIC_ID.fhir'), naic),
        portal: portalOrigin,
      }),
    ),
  }),
};

const bodyTypes = ['application/fhir+json', 'application/json'];

async function memberMatch(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const context = safeParse(backendContext, event.requestContext.authorizer);
  if (context === undefined) return fhirRefusal('key-invalid');
  const mediaType = negotiate(
    header(event, 'accept'),
    event.queryStringParameters?._format,
    'application/fhir+json',
  );
  if (mediaType === undefined) return fhirRefusal('not-acceptable');
  if (!bodyTypes.includes(contentTypeOf(event))) return fhirRefusal('unsupported-media-type');
  const size = Buffer.byteLength(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (size > jobLimits.bodyBytes) return fhirRefusal('request-too-long');
  const text = bodyText(event, jobLimits.bodyBytes) ?? '';
  const ids = requestIds(event);
  // RFC 7240 section 4.2.
  const isMinimal = /(^|[,;]\s*)return=minimal\b/.test(header(event, 'prefer') ?? '');
  const request = { ...ids, clientId: context.clientId, context, text, isMinimal };
  const answer = await answerAtStep(
    systemTimer,
    memberMatchLimits.refusalStepMilliseconds,
    isNotMatched,
    async () => await matchMember(matching, request),
  );
  switch (answer.kind) {
    case 'refusal':
      return fhirRefusal(answer.refusal);
    case 'invalid':
      return invalidRequest(answer.issues);
    case 'faulty':
      return unprocessableRequest(answer.issues);
    case 'throttled':
      return tooManyMatches(answer.retryAfterSeconds);
    case 'matched':
      return {
        statusCode: 200,
        headers: { ...corsHeaders, 'Content-Type': mediaType, 'Cache-Control': 'private, no-store' },
        body: answer.body,
      };
  }
}

/**
 * Serves the Payer Access API of one LOB. Called by other payers' applications behind `authorizer`. Reads the records of its LOB; writes
 * grants of matches, jobs and their files, rates and audit events.
 */
export const handler = createPipeline({
  dialect: fhirDialect,
  log: consoleLog,
  handler: dispatchFhir('payer-access', {
    ...dataHandlers,
    ...jobHandlers,
    ...discoveryHandlers,
    'Patient.member-match': memberMatch,
    capabilities: fhirDocument(
      () => capabilityStatement(host, 'payer-access', payerCapabilities()),
      negotiate,
    ),
    'smart-configuration': jsonDocument(() => payerSmartConfiguration(origins, resourceId)),
  }),
});
