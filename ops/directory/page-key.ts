/** `directory page-key`: gives the portal's page "Find a doctor" a subscription key for an environment. */

import { randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { lineOfBusinessCodes, linesOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type {
  ProvisioningAnswer,
  ProvisioningRequest,
} from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import { directoryKeysSecretName } from '../../lambdas/portal/catalog/find-a-doctor.ts';
import { environmentOf } from '../command-line/command-line.ts';
import { type CommandContext, functionName, isDryRun } from '../command-line/operation.ts';
import { awsConfiguration } from '../command-line/system.ts';
import type { ExitCode } from '../command-line/terminal.ts';

/**
 * Registers the page as an application of the Provider Directory, and writes its key into the portal's secret. The page uses the key within
 * a minute. An earlier key stays valid until `clients revoke` ends the client whose ID was printed with it.
 */
export async function pageKey(operation: CommandContext): Promise<ExitCode> {
  const { system, print, values } = operation;
  const environment = environmentOf(values);
  const request: ProvisioningRequest = {
    action: 'register',
    requestId: randomUUID(),
    registration: {
      clientName: 'Find a doctor (developer portal)',
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'client_secret_basic',
      linesOfBusiness: lineOfBusinessCodes.filter((lob) => linesOfBusiness[lob].providerDirectory),
      products: ['provider-directory'],
      redirectUris: [],
      pkceRequired: true,
      attested: false,
      tier: 'standard',
    },
  };
  if (isDryRun(operation, request)) return 0;
  const answer = (await operation.invoke(
    functionName(operation, 'provisioning'),
    request,
  )) as ProvisioningAnswer;
  if (answer.kind !== 'credentials') {
    print(`refused: ${JSON.stringify(answer)}`);
    return 1;
  }
  const secrets = new SecretsManagerClient(awsConfiguration(system));
  const SecretId = directoryKeysSecretName;
  const { SecretString = '{}' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const keys = { ...JSON.parse(SecretString), [environment]: answer.credentials.subscriptionKey };
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(keys) }));
  print(`"Find a doctor" calls the ${environment} with the key of client ${answer.credentials.clientId}`);
  return 0;
}
