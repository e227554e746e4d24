import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { AwsError } from './aws-error.ts';
import { keyUseVia } from './kms-via-service.ts';
import type { SecretRotation } from './secret-rotation.ts';
import type { SecretStore, SecretVersion } from './secret-store.ts';
import { type Caller, operation, type Service } from './service.ts';

const secretId = z.string().check(z.minLength(1), z.maxLength(2048));
const token = z.string().check(z.minLength(32), z.maxLength(64));

const content = { SecretString: z.optional(z.string()), SecretBinary: z.optional(z.string()) };

/** Secrets Manager: secrets come from the templates; their values, versions and labels from the calls. */
export function secretsManager(assembly: Assembly, store: SecretStore, rotation: SecretRotation): Service {
  const secrets = assembly.ofType('AWS::SecretsManager::Secret');

  function find(id: string): Resource {
    const secret = secrets.find(({ arn }) => arn === id || arn.slice(0, -7) === id || secretName(arn) === id);
    if (secret !== undefined && store.exists(secret.arn)) return secret;
    throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  const resource = ({ SecretId }: { SecretId: string }): string => find(SecretId).arn;
  const invalid = 'InvalidParameterException';
  const useKey = keyUseVia(assembly, 'secretsmanager');
  /** A secret under a key of ours needs the right to the key besides. */
  const withKey = (id: string, caller: Caller, ...actions: string[]): string => {
    const { arn, properties } = find(id);
    if (typeof properties.KmsKeyId === 'string') {
      for (const action of actions) useKey(caller, action, properties.KmsKeyId);
    }
    return arn;
  };

  return {
    operations: {
      GetSecretValue: operation(
        z.strictObject({
          SecretId: secretId,
          VersionId: z.optional(z.string()),
          VersionStage: z.optional(z.string()),
        }),
        {
          action: 'secretsmanager:GetSecretValue',
          resource,
          context: ({ SecretId, VersionId, VersionStage }) => ({
            'secretsmanager:secretid': [find(SecretId).arn],
            'secretsmanager:versionstage': [VersionStage ?? 'AWSCURRENT'],
            ...(VersionId === undefined ? {} : { 'secretsmanager:versionid': [VersionId] }),
          }),
          run: ({ SecretId, VersionId, VersionStage }, caller) =>
            getValue(store, withKey(SecretId, caller, 'kms:Decrypt'), VersionId, VersionStage),
        },
        invalid,
      ),
      PutSecretValue: operation(
        z.strictObject({
          SecretId: secretId,
          ClientRequestToken: z.optional(token),
          VersionStages: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(20))),
          ...content,
        }),
        {
          action: 'secretsmanager:PutSecretValue',
          resource,
          run: (input, caller) =>
            putValue(store, withKey(input.SecretId, caller, 'kms:GenerateDataKey', 'kms:Decrypt'), input),
        },
        invalid,
      ),
      DescribeSecret: operation(
        z.strictObject({ SecretId: secretId }),
        {
          action: 'secretsmanager:DescribeSecret',
          resource,
          run: ({ SecretId }) => describe(store, rotation, find(SecretId)),
        },
        invalid,
      ),
      UpdateSecretVersionStage: operation(
        z.strictObject({
          SecretId: secretId,
          VersionStage: z.string(),
          RemoveFromVersionId: z.optional(token),
          MoveToVersionId: z.optional(token),
        }),
        {
          action: 'secretsmanager:UpdateSecretVersionStage',
          resource,
          run: (input) => moveLabel(store, find(input.SecretId).arn, input),
        },
        invalid,
      ),
      RotateSecret: operation(
        z.strictObject({ SecretId: secretId, ClientRequestToken: z.optional(token) }),
        {
          action: 'secretsmanager:RotateSecret',
          resource,
          run({ SecretId, ClientRequestToken }) {
            const { arn } = find(SecretId);
            return {
              ARN: arn,
              Name: secretName(arn),
              VersionId: rotation.begin(arn, ClientRequestToken ?? randomUUID()),
            };
          },
        },
        invalid,
      ),
    },
  };
}

/** `arn:…:secret:<name>-<6 characters>`. */
export function secretName(arn: string): string {
  return arn.split(':').slice(6).join(':').slice(0, -7);
}

function getValue(store: SecretStore, arn: string, versionId?: string, stage?: string): unknown {
  const labels = store.labels(arn);
  const label = stage ?? (versionId === undefined ? 'AWSCURRENT' : undefined);
  const wanted = versionId ?? labels.get(label ?? '');
  const version = wanted === undefined ? undefined : store.version(arn, wanted);
  if (versionId !== undefined && label !== undefined && labels.get(label) !== versionId) {
    throw new AwsError(
      'InvalidRequestException',
      'You provided a VersionStage that is not associated to the provided VersionId.',
    );
  }
  if (version === undefined || (version.text === null && version.binary === null)) {
    const by = versionId === undefined ? `staging label: ${label}` : `VersionId: ${versionId}`;
    throw new AwsError(
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for ${by}`,
    );
  }
  return {
    ARN: arn,
    Name: secretName(arn),
    CreatedDate: version.createdAt / 1_000,
    ...contentOf(version),
    VersionId: wanted,
    VersionStages: labelsOf(labels, version.versionId),
  };
}

function contentOf({ text, binary }: SecretVersion): Record<string, string> {
  return text === null ? { SecretBinary: binary ?? '' } : { SecretString: text };
}

function labelsOf(labels: ReadonlyMap<string, string>, versionId: string): string[] {
  return [...labels].filter(([, version]) => version === versionId).map(([label]) => label);
}

function putValue(
  store: SecretStore,
  arn: string,
  input: {
    ClientRequestToken?: string | undefined;
    VersionStages?: string[] | undefined;
    SecretString?: string | undefined;
    SecretBinary?: string | undefined;
  },
): unknown {
  if ((input.SecretString === undefined) === (input.SecretBinary === undefined)) {
    throw new AwsError('InvalidParameterException', 'You must provide either SecretString or SecretBinary.');
  }
  const versionId = input.ClientRequestToken ?? randomUUID();
  const labels = input.VersionStages ?? ['AWSCURRENT'];
  store.put(arn, versionId, { text: input.SecretString ?? null, binary: input.SecretBinary ?? null }, labels);
  return {
    ARN: arn,
    Name: secretName(arn),
    VersionId: versionId,
    VersionStages: labelsOf(store.labels(arn), versionId),
  };
}

function moveLabel(
  store: SecretStore,
  arn: string,
  input: {
    VersionStage: string;
    RemoveFromVersionId?: string | undefined;
    MoveToVersionId?: string | undefined;
  },
): unknown {
  const { VersionStage: label, RemoveFromVersionId: from, MoveToVersionId: to } = input;
  const holder = store.labels(arn).get(label);
  if (holder !== from && holder !== undefined && holder !== to) {
    throw new AwsError(
      'InvalidParameterException',
      `The parameter RemoveFromVersionId can't be empty. Staging label ${label} is currently attached to version ${holder}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  }
  if (to !== undefined && store.version(arn, to) === undefined) {
    throw new AwsError(
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret version: ${to}.`,
    );
  }
  if (to === undefined && label === 'AWSCURRENT') {
    throw new AwsError(
      'InvalidParameterException',
      'You can only move staging label AWSCURRENT to a different secret version.',
    );
  }
  store.move(arn, label, to);
  return { ARN: arn, Name: secretName(arn) };
}

function describe(store: SecretStore, rotation: SecretRotation, { arn, properties }: Resource): unknown {
  const stages: Record<string, string[]> = {};
  for (const [label, version] of store.labels(arn)) stages[version] = [...(stages[version] ?? []), label];
  const schedule = rotation.scheduleOf(arn);
  const rotatedAt = store.rotatedAt(arn);
  return {
    ARN: arn,
    Name: secretName(arn),
    Description: properties.Description,
    KmsKeyId: properties.KmsKeyId,
    RotationEnabled: schedule !== undefined,
    RotationLambdaARN: schedule?.functionArn,
    RotationRules: schedule?.rules,
    LastRotatedDate: rotatedAt === undefined ? undefined : rotatedAt / 1_000,
    VersionIdsToStages: stages,
  };
}
