/** `clients demonstrate`: registers the sandbox's demonstration. */

import { demonstration } from '../lambdas/catalog/oauth/demonstration.ts';
import type {
  ProvisioningAnswer,
  ProvisioningRequest,
} from '../lambdas/clients/provisioning/provisioning-contract.ts';
import { type CommandContext, functionName, isDryRun } from './command-line/operation.ts';
import type { ExitCode } from './command-line/terminal.ts';
import { syntheticMembers } from './generator/members.ts';

/** Registers the demonstration for the first synthetic member of its line of business. A demonstration that is there stays as it is. */
export async function demonstrate(operation: CommandContext): Promise<ExitCode> {
  const { print } = operation;
  const { clientId, grantType, lineOfBusiness, tier } = demonstration;
  const patientId = demonstratedPatientId();
  const request: ProvisioningRequest = {
    action: 'register',
    requestId: clientId,
    registration: {
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
    },
  };
  if (isDryRun(operation, request)) return 0;
  const answer = (await operation.invoke(
    functionName(operation, 'provisioning'),
    request,
  )) as ProvisioningAnswer;
  if (answer.kind === 'refusal' && answer.refusal.code === 'state_conflict') {
    print(`The demonstration is registered already, as client ${clientId}, and is ${answer.refusal.state}.`);
    return 0;
  }
  if (answer.kind !== 'credentials') {
    print(`refused: ${JSON.stringify(answer)}`);
    return 1;
  }
  print(`The portal's pages demonstrate the sandbox as client ${clientId}, with Patient/${patientId}.`);
  return 0;
}

function demonstratedPatientId(): string {
  const member = syntheticMembers('sandbox').find(({ lob }) => lob === demonstration.lineOfBusiness);
  if (member === undefined) throw new Error('the sandbox has no member to demonstrate');
  return member.patientId;
}
