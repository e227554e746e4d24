/** Stack of the portal's table, user pool and keys. */

import { CfnOutput, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import { CfnUserPoolGroup } from 'aws-cdk-lib/aws-cognito';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { directoryKeysSecretName } from '../../lambdas/portal/catalog/find-a-doctor.ts';
import { environmentFunctionArns } from '../config/portal-configuration.ts';
import { Alarms } from '../constructs/alarms.ts';
import { acknowledgeUnrotated } from '../constructs/cdk-nag-findings.ts';
import { CodeMessages } from '../constructs/code-messages.ts';
import { createKey, createLogKey } from '../constructs/encryption-keys.ts';
import { createGatewayLogRole } from '../constructs/gateway-log-role.ts';
import { PasswordPool } from '../constructs/password-pool.ts';
import { createSingleTable } from '../constructs/single-table.ts';
import { type Reach, reachable } from '../rights/statements.ts';
import { createPortalOutboxWorker } from './outbox-worker.ts';
import type { PortalData, PortalStackProps } from './portal-data.ts';

/** The portal's stateful resources (table, developer pool), and the resources with which its functions send messages and sign. */
export class PortalDataStack extends Stack implements PortalData {
  readonly table: TableV2;
  readonly tableKey: Key;
  readonly secretsKey: Key;
  readonly logKey: Key;
  readonly developers: PasswordPool;
  readonly messages: CodeMessages;
  readonly botCheckSecret: Secret;
  readonly directoryKeys: Secret;
  readonly alarms: Alarms;
  readonly reach: Reach;

  constructor(scope: Construct, id: string, props: PortalStackProps) {
    super(scope, id, props);
    const { senderDomain, hostedZone, alarmEmail } = props.configuration;
    this.tableKey = createKey(this, 'TableKey', 'Portal table');
    this.secretsKey = createKey(this, 'SecretsKey', 'Portal secrets');
    this.logKey = createLogKey(this);
    this.table = createSingleTable(this, this.tableKey);
    this.developers = this.createDevelopers();
    this.messages = new CodeMessages(this, 'Messages', { domain: senderDomain, hostedZone });
    this.botCheckSecret = this.createBotCheckSecret();
    this.directoryKeys = this.createDirectoryKeys();
    this.alarms = new Alarms(this, 'Alarms', { key: this.logKey, email: alarmEmail });
    this.alarms.throttledTable(this.table.tableName, []);
    this.reach = this.createReach(props);
    createPortalOutboxWorker(this, { ...props, data: this });
    createGatewayLogRole(this);
  }

  private createReach({ configuration, environments }: PortalStackProps): Reach {
    const { recaptcha } = configuration;
    const invoked = {
      'directory-operations': environmentFunctionArns('directoryFunctions', configuration, environments),
      'job-operations': environmentFunctionArns('jobFunctions', configuration, environments),
      'load-operations': environmentFunctionArns('loadFunctions', configuration, environments),
      provisioning: environmentFunctionArns('provisioningFunctions', configuration, environments),
    };
    return {
      names: {},
      resources: {
        ...this.messages.resources(),
        portalTable: reachable(this.table.tableArn, { key: this.tableKey }),
        developerPool: reachable(this.developers.pool.userPoolArn),
        botCheckSecret: reachable(this.botCheckSecret.secretArn, { key: this.secretsKey }),
        recaptchaSecret: { arns: () => (recaptcha === undefined ? [] : [recaptcha.secretArn]) },
        directoryKeys: reachable(this.directoryKeys.secretArn, { key: this.secretsKey }),
        environmentFunctions: { arns: (name) => Object.values(invoked[name as keyof typeof invoked]) },
      },
    };
  }

  private createDevelopers(): PasswordPool {
    const developers = new PasswordPool(this, 'Developers', {
      signInAliases: { username: true },
      client: 'Portal',
    });
    const { userPoolId } = developers.pool;
    new CfnUserPoolGroup(this, 'Operators', {
      userPoolId,
      groupName: 'operators',
      description: 'Operators, who decide on applications and accounts',
    });
    new CfnOutput(this, 'DeveloperPoolId', { value: userPoolId });
    return developers;
  }

  private createBotCheckSecret(): Secret {
    const secret = new Secret(this, 'BotCheckSecret', {
      description: 'Signs bot checks',
      encryptionKey: this.secretsKey,
      generateSecretString: { excludePunctuation: true, passwordLength: 64 },
      // Signatures are valid for ten minutes only, so the secret may be deleted with the stack.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledgeUnrotated(
      secret,
      'A challenge it signs is valid for ten minutes and one use; no rotation schedule is needed.',
    );
    return secret;
  }

  /** Creates the secret of the page's directory keys, empty. `ops directory page-key` adds a key for each environment that requires one. */
  private createDirectoryKeys(): Secret {
    const secret = new Secret(this, 'DirectoryKeys', {
      secretName: directoryKeysSecretName,
      description: 'Subscription keys of the page "Find a doctor"',
      encryptionKey: this.secretsKey,
      secretStringValue: SecretValue.unsafePlainText('{}'),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledgeUnrotated(secret, 'An operator rotates a key by a command, as developers rotate theirs.');
    return secret;
  }
}
