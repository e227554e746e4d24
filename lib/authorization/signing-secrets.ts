/** Secrets with the private signing keys, one for each token issuer, and the function that rotates them. */

import { CfnOutput, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { SigningKeyOwner } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { signsForProviders } from '../config/federation.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { type Reachable, reachableParts, withResources } from '../rights/statements.ts';

export interface SigningSecretsProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'alarms'> & {
    readonly secretsKey: IKey;
  };
}

/** Purpose of the keys that sign client assertions instead of tokens. */
const descriptions: Readonly<Partial<Record<SigningKeyOwner, string>>> = {
  FEDERATION: 'Keys that sign client assertions for identity providers',
  PAYERS: 'Keys that sign client assertions for other payers',
};

/**
 * One secret for each token issuer with its private signing keys, and one for the environment's client assertions at identity providers if
 * it makes any. A secret is created without a key: Secrets Manager requests the first key from `key-rotation` when the rotation schedule is
 * created (docs/decisions/0003).
 */
export class SigningSecrets extends Construct {
  private readonly secrets: ReadonlyMap<SigningKeyOwner, Secret>;

  constructor(scope: Construct, id: string, props: SigningSecretsProps) {
    super(scope, id);
    const owners: readonly SigningKeyOwner[] = [
      ...props.configuration.linesOfBusiness,
      'M2M',
      'PAYERS',
      ...(signsForProviders(props.configuration) ? (['FEDERATION'] as const) : []),
    ];
    this.secrets = new Map(
      owners.map((owner) => [
        owner,
        new Secret(this, owner, {
          description: descriptions[owner] ?? `Token signing keys of ${owner}`,
          encryptionKey: props.data.secretsKey,
          secretStringValue: SecretValue.unsafePlainText('{"keys":[]}'),
          removalPolicy: RemovalPolicy.RETAIN,
        }),
      ]),
    );
    const rotation = this.createRotation(props);
    for (const [owner, secret] of this.secrets) {
      this.schedule(owner, secret, rotation, props.configuration.keyRotationDays);
    }
  }

  of(owner: SigningKeyOwner): Secret {
    const secret = this.secrets.get(owner);
    if (secret === undefined) throw new Error(`${owner} is not a line of business of this environment`);
    return secret;
  }

  /** The secrets as a resource of the table of rights, by their owners. */
  reachable(key: IKey): Reachable {
    const arns = [...this.secrets].map(([owner, { secretArn }]) => [owner, secretArn]);
    return reachableParts(Object.fromEntries(arns), { key });
  }

  private createRotation({ data, configuration, bundles }: SigningSecretsProps): LambdaFunction {
    const stack = Stack.of(this);
    const owners = [...this.secrets.keys()];
    const { function: rotation } = new EnvironmentFunction(this, 'KeyRotation', {
      name: 'key-rotation',
      bundles,
      logKey: data.logKey,
      reservedConcurrency: owners.length,
      environment: {
        environment: configuration.environment,
        tableName: data.table.tableName,
        signingSecrets: stack.toJsonString(
          Object.fromEntries(owners.map((owner) => [owner, this.of(owner).secretArn])),
        ),
        memberAccessTokenSeconds: `${configuration.lifetimes.memberAccessTokenSeconds}`,
        clientAccessTokenSeconds: `${configuration.lifetimes.clientAccessTokenSeconds}`,
      },
      reach: withResources(data.reach, { signingSecrets: this.reachable(data.secretsKey) }),
    });
    data.alarms.onFunction('KeyRotationFailed', rotation);
    new CfnOutput(stack, 'KeyRotationFunctionName', { value: rotation.functionName });
    rotation.addPermission('SecretsManager', {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      sourceAccount: stack.account,
    });
    return rotation;
  }

  private schedule(owner: SigningKeyOwner, secret: Secret, rotation: LambdaFunction, days: number): void {
    const schedule = new CfnRotationSchedule(this, `${owner}Rotation`, {
      secretId: secret.secretArn,
      rotationLambdaArn: rotation.functionArn,
      rotationRules: { automaticallyAfterDays: days },
      rotateImmediatelyOnUpdate: true,
    });
    // The first rotation runs while the schedule is being created, and needs the function's permission by then.
    schedule.node.addDependency(rotation);
  }
}
