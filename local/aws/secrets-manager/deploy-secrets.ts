import { randomUUID } from 'node:crypto';
import type { Assembly } from '../../assembly/resources.ts';
import { generateSecretString } from './generated-string.ts';
import type { SecretStore } from './secret-store.ts';

/** Creates the secrets of the templates that don't exist yet, each with its first value if it has one. */
export function deploySecrets(assembly: Assembly, store: SecretStore): void {
  for (const { arn, properties } of assembly.ofType('AWS::SecretsManager::Secret')) {
    if (store.exists(arn)) continue;
    store.create(arn);
    const { SecretString, GenerateSecretString } = properties;
    const text =
      typeof SecretString === 'string'
        ? SecretString
        : GenerateSecretString === undefined
          ? undefined
          : generateSecretString(GenerateSecretString);
    if (text !== undefined) store.put(arn, randomUUID(), { text, binary: null }, ['AWSCURRENT']);
  }
}
