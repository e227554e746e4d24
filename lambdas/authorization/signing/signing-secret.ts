/** Secrets Manager secret of an issuer's signing keys, and its versions. */

import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

/** One secret and its versions, as far as signing and rotating need them. */
export interface SigningSecret {
  /** Staging labels by version id; `lastRotatedAt` in milliseconds since 1970. */
  describe(): Promise<{
    readonly versions: Readonly<Record<string, readonly string[]>>;
    readonly lastRotatedAt?: number;
  }>;
  /** @returns undefined where there is no such version, or it has no value yet. */
  read(version: 'AWSCURRENT' | { readonly versionId: string }): Promise<string | undefined>;
  /** Gives the version its value; an existing value stays. */
  writePending(version: string, value: string): Promise<void>;
  makeCurrent(version: string, instead: string | undefined): Promise<void>;
  /** Takes AWSPENDING from the version, so that its rotation can't continue. */
  dropPending(version: string): Promise<void>;
  /** Makes a new version that is AWSCURRENT at once. @param version a UUID no version has yet */
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
      // A concurrent run of the same step was first: its value stays, and the next steps read it.
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
