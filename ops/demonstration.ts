/** `clients demonstrate`: registers the sandbox's demonstration. */

import { randomUUID } from 'node:crypto';
import { demonstration } from '../lambdas/catalog/oauth/demonstration.ts';
import { cohortMemberId, cohortMembers } from '../lambdas/catalog/payer/payer-cohort.ts';
import type {
  ProvisioningAnswer,
  ProvisioningRequest,
} from '../lambdas/clients/provisioning/provisioning-contract.ts';
import type { ClientRegistration } from '../lambdas/clients/provisioning/registration-contract.ts';
import type { MemberLoad } from '../lambdas/loads/ingest/ingest-contract.ts';
import { type CommandContext, functionName, isDryRun } from './command-line/operation.ts';
import type { ExitCode } from './command-line/terminal.ts';
import { payerCohort } from './generator/payer-cohort.ts';
import { loadMembers } from './members.ts';

/**
 * Registers the demonstration, and loads its member. A demonstration that is there gets this registration, and keeps its state.
 *
 * The member is the first of the payers' cohort, who has no account: each token leaves a grant until it expires, and the grants of a member
 * are read at that member's consents.
 */
export async function demonstrate(operation: CommandContext): Promise<ExitCode> {
  const { print } = operation;
  const { clientId } = demonstration;
  const member = demonstratedMember();
  const registration = registrationOf(member);
  const request: ProvisioningRequest = { action: 'register', requestId: clientId, registration };
  if (isDryRun(operation, request)) return 0;
  if ((await loadMembers(operation, 'sandbox', [member])) > 0) return 1;
  const send = async (sent: ProvisioningRequest) =>
    (await operation.invoke(functionName(operation, 'provisioning'), sent)) as ProvisioningAnswer;
  const registered = await send(request);
  const answer =
    registered.kind === 'refusal' && registered.refusal.code === 'state_conflict'
      ? await send({ action: 'update', requestId: randomUUID(), clientId, registration })
      : registered;
  if (answer.kind === 'refusal') {
    print(`refused: ${JSON.stringify(answer)}`);
    return 1;
  }
  print(
    `The portal's pages demonstrate the sandbox as client ${clientId}, with Patient/${member.patientId}.`,
  );
  return 0;
}

function registrationOf({ patientId }: MemberLoad): ClientRegistration {
  const { grantType, lineOfBusiness, tier } = demonstration;
  return {
    clientName: 'Demonstration on the developer portal',
    grantTypes: [grantType],
    tokenEndpointAuthMethod: 'none',
    linesOfBusiness: [lineOfBusiness],
    products: ['patient-access', 'provider-directory'],
    redirectUris: [],
    pkceRequired: true,
    attested: true,
    tier,
    demonstratedPatientId: patientId,
  };
}

/** The member whom visitors read. */
export function demonstratedMember(): MemberLoad {
  const memberId = cohortMemberId(demonstration.lineOfBusiness, cohortMembers.matched);
  const member = payerCohort().find((each) => each.memberId === memberId);
  if (member === undefined) throw new Error('the sandbox has no member to demonstrate');
  return member;
}
