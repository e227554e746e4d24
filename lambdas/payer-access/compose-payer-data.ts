/** Composes the handlers of Payer Access for the data of matched members, from the services of reads and searches. */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createDisclosureRecorder } from '../audit/store/audit-events-contract.ts';
import type { Environment } from '../catalog/environments.ts';
import type { FhirRefusal } from '../catalog/fhir/fhir-refusals.ts';
import type { PatientAccessType } from '../catalog/fhir/fhir-resources.ts';
import type { DataOperation } from '../catalog/fhir/fhir-routes.ts';
import { servedResources } from '../catalog/fhir/interfaces.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { backendContext } from '../catalog/oauth/authorizer-context.ts';
import { memberMatchLimits } from '../catalog/payer/member-match-rules.ts';
import type { SearchAnswer } from '../fhir/query/search-request.ts';
import { bundleResponse, readResponse } from '../fhir/read/read-response.ts';
import { type ReadAnswer, readResource } from '../fhir/read/resource-read.ts';
import { readEverything } from '../fhir/search/everything.ts';
import { searchResources } from '../fhir/search/resource-search.ts';
import { createPatientCompartment } from '../fhir/store/resource-store.ts';
import type { FhirHandler } from '../platform/http/fhir-dispatch.ts';
import { fhirParameters } from '../platform/http/fhir-parameters.ts';
import { corsHeaders, fhirRefusal, invalidRequest } from '../platform/http/operation-outcome.ts';
import { header, requestIds } from '../platform/http/pipeline.ts';
import { answerAtStep } from '../platform/kernel/answer-steps.ts';
import { safeParse } from '../platform/kernel/shapes.ts';
import { digests } from '../platform/runtime/digests.ts';
import { systemTimer } from '../platform/runtime/timer.ts';
import type { Table } from '../platform/table/table.ts';
import type { MatchStore } from './permission/member-match-port.ts';
import { admitToMembers, isNotMatchedMember } from './release/matched-member.ts';
import { narrowing } from './release/member-choice.ts';
import { createMatchedPatients } from './store/matched-patients.ts';
import { createPayerGrants } from './store/payer-grants.ts';

export interface PayerDataOptions {
  readonly table: Table;
  readonly lob: LineOfBusiness;
  readonly environment: Environment;
  /** FHIR base URL of the interface. */
  readonly base: string;
  readonly payers: MatchStore;
  readonly now: () => number;
  readonly uuid: () => string;
}

type MemberOperation = Extract<DataOperation, `${PatientAccessType}.${string}`>;

/** Makes the handlers of reads, searches and `$everything` on the data of matched members, by operation. */
export function composePayerData(
  options: PayerDataOptions,
): Readonly<Partial<Record<DataOperation, FhirHandler>>> {
  const { table, lob, environment, base, payers, now, uuid } = options;
  const access = {
    store: payers,
    grants: createPayerGrants(table, { lob, environment, now, uuid }),
    matched: createMatchedPatients(table, lob, now),
    compartment: createPatientCompartment(table, lob),
    audit: createDisclosureRecorder({ table, lob, environment, now, uuid }),
    now,
  };

  const onMember =
    (type: PatientAccessType, interaction: 'read' | 'search-type' | 'everything'): FhirHandler =>
    async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
      const context = safeParse(backendContext, event.requestContext.authorizer);
      if (context === undefined) return fhirRefusal('key-invalid');
      const asked = fhirParameters(event, interaction === 'everything' ? 'operation' : 'search');
      if (asked.kind === 'refusal') return fhirRefusal(asked.refusal);
      const { parameters } = asked;
      const id = event.pathParameters?.id;
      const ids = requestIds(event);
      const asking = {
        ...ids,
        clientId: context.clientId,
        action: `${type}.${interaction}` as MemberOperation,
        context,
        type,
        id,
        parameters,
      };
      const admitted = await answerAtStep(
        systemTimer,
        memberMatchLimits.notFoundStepMilliseconds,
        isNotMatchedMember,
        async () => await admitToMembers(access, asking),
      );
      if (admitted.kind === 'refusal') return fhirRefusal(admitted.refusal);
      if (admitted.kind === 'invalid') return invalidRequest(admitted.issues);
      const dependencies = {
        interface: 'payer-access' as const,
        compartment: admitted.compartment,
        audit: admitted.audit,
        now,
        sha256: digests.sha256Hex,
      };
      const request = { ...ids, context: admitted.context, parameters, accept: header(event, 'accept') };
      if (interaction === 'read') {
        const ifNoneMatch = header(event, 'if-none-match');
        return respond(await readResource(dependencies, { ...request, type, id: id ?? '', ifNoneMatch }));
      }
      const { patients } = admitted;
      const search = { ...request, patients, base, prefer: header(event, 'prefer') };
      return respond(
        interaction === 'everything'
          ? await readEverything(dependencies, { ...search, id: id ?? '' })
          : await searchResources(dependencies, {
              ...search,
              type,
              repeated: narrowing(type, parameters),
            }),
      );
    };

  const ofTypes = servedResources('payer-access').flatMap(([type, { interactions }]) =>
    interactions.map(
      (interaction) => [`${type}.${interaction}`, onMember(type as PatientAccessType, interaction)] as const,
    ),
  );
  return { ...Object.fromEntries(ofTypes), 'Patient.everything': onMember('Patient', 'everything') };
}

function respond(answer: ReadAnswer | SearchAnswer): APIGatewayProxyResult {
  switch (answer.kind) {
    case 'refusal':
      return fhirRefusal(refusalOf(answer.refusal));
    case 'invalid':
      return invalidRequest(answer.issues);
    default: {
      const response = answer.kind === 'bundle' ? bundleResponse(answer) : readResponse(answer);
      return { ...response, headers: { ...corsHeaders, ...response.headers } };
    }
  }
}

/** Maps a grant that ended during the request to 404, as for a member that was never matched. A bad token was refused earlier. */
function refusalOf(refusal: FhirRefusal): FhirRefusal {
  return refusal === 'invalid-token' ? 'not-found' : refusal;
}
