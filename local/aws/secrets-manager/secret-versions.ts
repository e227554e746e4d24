/** Local Secrets Manager: a secret's versions and their staging labels. */

import { randomUUID } from 'node:crypto';
import type { Resource } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { SecretRotation } from './rotation.ts';
import type { SecretStore, SecretVersion } from './secret-store.ts';

/** The name in a secret's ARN, `arn:…:secret:<name>-<6 characters>`. */
export function secretName(arn: string): string {
  return arn.split(':').slice(6).join(':').slice(0, -7);
}

/** Finds a version by its ID, its label, or both; by AWSCURRENT if neither is given. */
export function getValue(store: SecretStore, arn: string, versionId?: string, stage?: string): unknown {
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

/** Adds a version. A repeat with the same token and value changes nothing. */
export function putValue(
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

/** Moves a staging label. A request that takes the label from a version must name that version. */
export function moveLabel(
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

/** The versions of a secret by label, and its rotation, without values. */
export function describeSecret(
  store: SecretStore,
  rotation: SecretRotation,
  { arn, properties }: Resource,
): unknown {
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
