import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { TokenAuthority } from '../lambdas/catalog/token-authority.ts';
import { Alarms } from './alarms.ts';
import { auditWindowIndex, createAuditSeals } from './audit-seals.ts';
import type { Configuration } from './config/configuration.ts';
import { createGatewayLogRole } from './gateway-log-role.ts';
import { createIngest } from './ingest.ts';
import { MemberPool } from './member-pool.ts';
import { SigningSecrets } from './signing-secrets.ts';
import { WebAcl } from './web-acl.ts';

export interface EnvironmentStackProps extends StackProps {
  readonly configuration: Configuration;
  /** The folder `bin/bundle.ts` writes to. */
  readonly bundles: string;
}

/** What an environment must not lose: table, member pool, signing keys; and the two functions that fill them. */
export class DataStack extends Stack {
  readonly table: TableV2;
  readonly tableKey: Key;
  readonly secretsKey: Key;
  readonly logKey: Key;
  /** Encrypts the copies of client secrets that View Credentials shows. */
  readonly credentialKey: Key;
  readonly memberPool: MemberPool;
  readonly webAcl: WebAcl;
  readonly alarms: Alarms;
  private readonly signingSecrets: SigningSecrets;

  constructor(scope: Construct, id: string, props: EnvironmentStackProps) {
    super(scope, id, props);
    this.tableKey = this.createKey('TableKey', 'Environment table');
    this.secretsKey = this.createKey('SecretsKey', 'Token signing keys');
    this.credentialKey = this.createKey('CredentialKey', 'Client secrets shown by View Credentials');
    this.logKey = this.createLogKey();
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(this.tableKey),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'ttl',
      globalSecondaryIndexes: [auditWindowIndex],
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.alarms = new Alarms(this, 'Alarms', this.logKey);
    this.alarms.throttledTable('TableThrottled', this.table.tableName);
    this.webAcl = new WebAcl(this, 'WebAcl', { logKey: this.logKey });
    this.memberPool = new MemberPool(this, 'Members');
    this.signingSecrets = new SigningSecrets(this, 'Signing', { data: this, ...props });
    createIngest(this, props);
    createAuditSeals(this, props);
    createGatewayLogRole(this);
  }

  signingSecret(authority: TokenAuthority): Secret {
    return this.signingSecrets.of(authority);
  }

  /** Value of `SIGNING_SECRETS` for a function that signs for these authorities. */
  signingSecretArns(stack: Stack, authorities: readonly TokenAuthority[]): string {
    return stack.toJsonString(
      Object.fromEntries(
        authorities.map((authority) => [authority, this.signingSecret(authority).secretArn]),
      ),
    );
  }

  private createKey(id: string, description: string): Key {
    return new Key(this, id, { description, enableKeyRotation: true, removalPolicy: RemovalPolicy.RETAIN });
  }

  private createLogKey(): Key {
    const key = this.createKey('LogKey', 'Logs');
    const logs = new ServicePrincipal(`logs.${this.region}.amazonaws.com`, {
      conditions: {
        ArnLike: { 'kms:EncryptionContext:aws:logs:arn': `arn:aws:logs:${this.region}:${this.account}:*` },
      },
    });
    // @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
    key.grantEncryptDecrypt(logs);
    key.grant(logs, 'kms:DescribeKey');
    return key;
  }
}
