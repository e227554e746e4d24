import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { createMessageClients } from '../platform/aws/messages.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createDeveloperDirectory } from './adapters/developer-directory.ts';
import { createPortalMessages } from './adapters/messages.ts';

/** Makes adapters that several functions of the portal share. */

export function createCognitoClient(): CognitoIdentityProviderClient {
  return new CognitoIdentityProviderClient({ retryStrategy: sdkRetries });
}

/** Makes the adapter for passwords in the portal's user pool. */
export function createPoolDirectory(
  { developerPoolId, developerPoolClientId }: PoolSettings,
  cognito = createCognitoClient(),
) {
  return createDeveloperDirectory(cognito, { userPoolId: developerPoolId, clientId: developerPoolClientId });
}

export interface PoolSettings {
  readonly developerPoolId: string;
  readonly developerPoolClientId: string;
}

export function createMessages({ messageSender }: { readonly messageSender: string }) {
  return createPortalMessages(createMessageClients(), messageSender, consoleLog);
}
