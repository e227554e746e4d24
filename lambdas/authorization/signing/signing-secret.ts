/** Secrets Manager secret of an issuer's signing keys, and its versions. */

import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

/** An issuer's signing secret and its versions. */
export interface SigningSecret {
  /** Staging labels by version ID; `lastRotatedAt` in milliseconds since 1970. */
  describe(): Promise<{
    readonly versions: Readonly<Record<string, readonly string[]>>;
    readonly lastRotatedAt?: number;
  }>;
  /**
   * Reads the value of a version.
   *
   * @returns undefined if the version does not exist or has no value yet.
   */
  read(version: 'AWSCURRENT' | { readonly versionId: string }): Promise<string | undefined>;
  /** Writes the value of a version, unless it has one. */
  writePending(version: string, value: string): Promise<void>;
  makeCurrent(version: string, instead: string | undefined): Promise<void>;
  /** Removes AWSPENDING from a version, which ends its rotation. */
  dropPending(version: string): Promise<void>;
  /**
   * Makes a new version that is AWSCURRENT at once.
   *
   * @param version a new UUID
   */
  writeCurrent(version: string, value: string): Promise<void>;
}

export function createSigningSecret(client: SecretsManagerClient, secretId: string): SigningSecret {
  const SecretId = secretId;
  return {
    async describe() {
      const { VersionIdsToStages = {}, LastRotatedDate } = await client.send(
        new DescribeSecretCommand({ SecretId }),
      );
      return {
        versions: VersionIdsToStages,
        ...(LastRotatedDate && { lastRotatedAt: LastRotatedDate.getTime() }),
      };
    },
    async read(version) {
      const which = version === 'AWSCURRENT' ? { VersionStage: version } : { VersionId: version.versionId };
      const answer = await unless(
        'ResourceNotFoundException',
        client.send(new GetSecretValueCommand({ SecretId, ...which })),
      );
      return answer?.SecretString;
    },
    async writePending(version, value) {
      // A concurrent run of the same step has written the value already. It stays, and the next steps read it.
      await unless(
        'ResourceExistsException',
        client.send(
          new PutSecretValueCommand({
            SecretId,
            ClientRequestToken: version,
            SecretString: value,
            VersionStages: ['AWSPENDING'],
          }),
        ),
      );
    },
    async makeCurrent(version, instead) {
      await client.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: version,
          ...(instead !== undefined && { RemoveFromVersionId: instead }),
        }),
      );
    },
    async dropPending(version) {
      await client.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: 'AWSPENDING',
          RemoveFromVersionId: version,
        }),
      );
    },
    async writeCurrent(version, value) {
      await client.send(
        new PutSecretValueCommand({
          SecretId,
          ClientRequestToken: version,
          SecretString: value,
          VersionStages: ['AWSCURRENT'],
        }),
      );
    },
  };
}

async function unless<T>(name: string, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === name) return undefined;
    throw error;
  }
}
