/** Local Secrets Manager: its operations. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import { keyUseVia } from '../kms/via-service.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { type Caller, operation, type Service, type ServiceOperation } from '../protocol/service.ts';
import type { SecretRotation } from './rotation.ts';
import type { SecretStore } from './secret-store.ts';
import { describeSecret, getValue, moveLabel, putValue, secretName } from './secret-versions.ts';

const SecretId = z.string().check(z.minLength(1), z.maxLength(2048));
const token = z.string().check(z.minLength(32), z.maxLength(64));
const invalid = 'InvalidParameterException';

interface Secrets {
  readonly store: SecretStore;
  readonly rotation: SecretRotation;
  /** Finds a secret by ARN, by ARN without its last six characters, or by name. @throws AwsError `ResourceNotFoundException`. */
  find(id: string): Resource;
  /** The secret's ARN, after the right to its key was checked. */
  withKey(id: string, caller: Caller, ...actions: string[]): string;
}

/** Secrets Manager: secrets are declared in templates; calls change their values, versions and labels. */
export function secretsManager(assembly: Assembly, store: SecretStore, rotation: SecretRotation): Service {
  const declared = assembly.ofType('AWS::SecretsManager::Secret');
  const useKey = keyUseVia(assembly, 'secretsmanager');
  const secrets: Secrets = {
    store,
    rotation,
    find(id) {
      const found = declared.find(
        ({ arn }) => arn === id || arn.slice(0, -7) === id || secretName(arn) === id,
      );
      if (found !== undefined && store.exists(found.arn)) return found;
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    },
    withKey(id, caller, ...actions) {
      const { arn, properties } = secrets.find(id);
      const { KmsKeyId } = properties;
      if (typeof KmsKeyId === 'string') for (const action of actions) useKey(caller, action, KmsKeyId);
      return arn;
    },
  };
  return { operations: { ...valueOperations(secrets), ...versionOperations(secrets) } };
}

function valueOperations({ store, find, withKey }: Secrets): Record<string, ServiceOperation> {
  const resource = (input: { SecretId: string }): string => find(input.SecretId).arn;
  const version = { VersionId: z.optional(z.string()), VersionStage: z.optional(z.string()) };
  const stages = z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(20)));
  const content = { SecretString: z.optional(z.string()), SecretBinary: z.optional(z.string()) };
  return {
    GetSecretValue: operation(
      z.strictObject({ SecretId, ...version }),
      {
        action: 'secretsmanager:GetSecretValue',
        resource,
        context: (input) => ({
          'secretsmanager:secretid': [resource(input)],
          'secretsmanager:versionstage': [input.VersionStage ?? 'AWSCURRENT'],
          ...(input.VersionId === undefined ? {} : { 'secretsmanager:versionid': [input.VersionId] }),
        }),
        run: (input, caller) =>
          getValue(
            store,
            withKey(input.SecretId, caller, 'kms:Decrypt'),
            input.VersionId,
            input.VersionStage,
          ),
      },
      invalid,
    ),
    PutSecretValue: operation(
      z.strictObject({ SecretId, ClientRequestToken: z.optional(token), VersionStages: stages, ...content }),
      {
        action: 'secretsmanager:PutSecretValue',
        resource,
        run: (input, caller) =>
          putValue(store, withKey(input.SecretId, caller, 'kms:GenerateDataKey', 'kms:Decrypt'), input),
      },
      invalid,
    ),
  };
}

function versionOperations({ store, rotation, find }: Secrets): Record<string, ServiceOperation> {
  const resource = (input: { SecretId: string }): string => find(input.SecretId).arn;
  const move = { RemoveFromVersionId: z.optional(token), MoveToVersionId: z.optional(token) };
  return {
    DescribeSecret: operation(
      z.strictObject({ SecretId }),
      {
        action: 'secretsmanager:DescribeSecret',
        resource,
        run: (input) => describeSecret(store, rotation, find(input.SecretId)),
      },
      invalid,
    ),
    UpdateSecretVersionStage: operation(
      z.strictObject({ SecretId, VersionStage: z.string(), ...move }),
      {
        action: 'secretsmanager:UpdateSecretVersionStage',
        resource,
        run: (input) => moveLabel(store, resource(input), input),
      },
      invalid,
    ),
    RotateSecret: operation(
      z.strictObject({ SecretId, ClientRequestToken: z.optional(token) }),
      {
        action: 'secretsmanager:RotateSecret',
        resource,
        run(input) {
          const arn = resource(input);
          const VersionId = rotation.begin(arn, input.ClientRequestToken ?? randomUUID());
          return { ARN: arn, Name: secretName(arn), VersionId };
        },
      },
      invalid,
    ),
  };
}
