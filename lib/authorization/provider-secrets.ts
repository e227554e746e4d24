import { CfnOutput, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { IdentityProvider } from '../../lambdas/catalog/oauth/identity-providers.ts';
import type { Configuration } from '../config/configuration.ts';
import { federationEntries, identityProvidersOf } from '../config/federation.ts';
import { acknowledgeUnrotated } from '../constructs/cdk-nag-findings.ts';
import type { Reachable } from '../rights/statements.ts';

/**
 * One secret for each client that has a shared secret at a plan's identity provider. It is created empty; an operator enters the value that
 * the plan provides (docs/federation.md).
 */
export class ProviderSecrets extends Construct {
  private readonly secrets = new Map<string, Secret>();
  private readonly configuration: Configuration;

  constructor(scope: Construct, id: string, configuration: Configuration, encryptionKey: IKey) {
    super(scope, id);
    this.configuration = configuration;
    for (const { path, provider } of federationEntries(configuration.federation)) {
      if (provider.clientAuthentication === 'private_key_jwt' || this.secrets.has(clientOf(provider)))
        continue;
      const name = `ClientSecret${path.at(-1) === 'default' ? 'Default' : path.at(-1)}`;
      const secret = new Secret(this, name, {
        description: `Client secret at the identity provider of federation.${path.join('.')}`,
        encryptionKey,
        secretStringValue: SecretValue.unsafePlainText('{"clientSecret":""}'),
        removalPolicy: RemovalPolicy.RETAIN,
      });
      acknowledgeUnrotated(
        secret,
        'The plan that runs the identity provider chooses the value and its time.',
      );
      new CfnOutput(Stack.of(this), `Federation${name}`, { value: secret.secretArn });
      this.secrets.set(clientOf(provider), secret);
    }
  }

  reachable(key: IKey): Reachable {
    const arns = [...new Set(Object.values(this.arns()))];
    return { key, arns: () => arns };
  }

  /** ARNs of the secrets, by LOB. */
  arns(): Readonly<Record<string, string>> {
    const providers = Object.entries(identityProvidersOf(this.configuration));
    return Object.fromEntries(
      providers.flatMap(([lob, provider]) => {
        const secret = this.secrets.get(clientOf(provider));
        return secret === undefined ? [] : [[lob, secret.secretArn]];
      }),
    );
  }
}

function clientOf({ issuer, clientId }: IdentityProvider): string {
  return `${issuer} ${clientId}`;
}
