/** Stack of an environment's stateful resources. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { lineOfBusinessCodes, linesOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { SigningKeyOwner } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { auditWindowIndex, createAuditSeals } from '../audit/audit-seals.ts';
import { createAccountSweep } from '../authorization/account-sweep-function.ts';
import { createOperatorGrantsFunction } from '../authorization/operator-grants-function.ts';
import { ProviderSecrets } from '../authorization/provider-secrets.ts';
import { SigningSecrets } from '../authorization/signing-secrets.ts';
import type { Configuration } from '../config/configuration.ts';
import { signsForProviders } from '../config/federation.ts';
import { Alarms } from '../constructs/alarms.ts';
import { createKey, createLogKey } from '../constructs/encryption-keys.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { createGatewayLogRole } from '../constructs/gateway-log-role.ts';
import { PasswordPool } from '../constructs/password-pool.ts';
import { createSingleTable } from '../constructs/single-table.ts';
import type { WebAcl } from '../constructs/web-acl.ts';
import { createIngest } from '../loads/ingest-function.ts';
import { type Reach, reachable, withResources } from '../rights/statements.ts';
import { environmentWebAcl } from './environment-web-acl.ts';

/** The stateful resources of an environment (table, member pool, signing keys), and the functions that load and maintain them. */
export class DataStack extends Stack implements EnvironmentData {
  readonly table: TableV2;
  readonly tableKey: Key;
  readonly secretsKey: Key;
  readonly logKey: Key;
  readonly credentialKey: Key;
  readonly contactKey: Key;
  readonly memberPool: PasswordPool;
  readonly webAcl: WebAcl;
  readonly alarms: Alarms;
  readonly providerSecrets: ProviderSecrets;
  readonly reach: Reach;
  private readonly signingSecrets: SigningSecrets;

  constructor(scope: Construct, id: string, props: EnvironmentStackProps) {
    super(scope, id, props);
    this.tableKey = createKey(this, 'TableKey', 'Environment table');
    this.secretsKey = createKey(this, 'SecretsKey', 'Token signing keys');
    this.credentialKey = createKey(this, 'CredentialKey', 'Copies of client secrets for View Credentials');
    this.contactKey = createKey(this, 'ContactKey', "Members' contact data");
    this.logKey = createLogKey(this);
    const { warmThroughput } = props.configuration;
    this.table = createSingleTable(this, this.tableKey, [auditWindowIndex], warmThroughput);
    this.alarms = new Alarms(this, 'Alarms', { key: this.logKey, email: props.configuration.alarmEmail });
    this.alarms.throttledTable(this.table.tableName, [auditWindowIndex.indexName]);
    this.alarms.functions(props.configuration.lambdaConcurrency);
    this.webAcl = environmentWebAcl(this, this.logKey, props.configuration);
    this.memberPool = new PasswordPool(this, 'Members', {
      signInAliases: { username: true, email: true },
      client: 'Authorize',
    });
    this.reach = environmentReach(this, props.configuration);
    this.signingSecrets = new SigningSecrets(this, 'Signing', { ...props, data: this });
    this.providerSecrets = new ProviderSecrets(this, 'Federation', props.configuration, this.secretsKey);
    this.reach = withResources(this.reach, {
      signingSecrets: this.signingSecrets.reachable(this.secretsKey),
      providerSecrets: this.providerSecrets.reachable(this.secretsKey),
    });
    createIngest(this, { ...props, data: this });
    createOperatorGrantsFunction(this, { ...props, data: this });
    createAccountSweep(this, { ...props, data: this });
    createAuditSeals(this, { ...props, data: this });
    createGatewayLogRole(this);
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
  }

  signingSecretArns(owners: readonly SigningKeyOwner[]): string {
    return this.toJsonString(
      Object.fromEntries(owners.map((owner) => [owner, this.signingSecrets.of(owner).secretArn])),
    );
  }
}

/** The resources of the data stack for the table of rights, and the names that its placeholders stand for. */
function environmentReach(
  {
    table,
    tableKey,
    memberPool,
    contactKey,
    credentialKey,
  }: Pick<DataStack, 'table' | 'tableKey' | 'memberPool' | 'contactKey' | 'credentialKey'>,
  configuration: Configuration,
): Reach {
  const { linesOfBusiness: lobs } = configuration;
  const issuers = [...lobs, 'M2M'];
  const signingClient = signsForProviders(configuration) ? ['FEDERATION'] : [];
  return {
    names: {
      '<each lob>': lobs,
      '<any lob>': lineOfBusinessCodes,
      '<directory lob>': lobs.filter((lob) => linesOfBusiness[lob].providerDirectory),
      '<issuer>': issuers,
      '<key owner>': [...issuers, 'PAYERS', ...signingClient],
      '<signing client>': signingClient,
    },
    resources: {
      table: reachable(table.tableArn, { key: tableKey }),
      auditWindows: reachable(`${table.tableArn}/index/${auditWindowIndex.indexName}`, { key: tableKey }),
      // A right to Scan can't be limited by partition, so it is limited to these attributes.
      itemKeys: reachable(table.tableArn, {
        key: tableKey,
        conditions: {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'sealWindow'] },
          StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        },
      }),
      memberPool: reachable(memberPool.pool.userPoolArn),
      contactKey: reachable(contactKey.keyArn),
      credentialKey: reachable(credentialKey.keyArn),
    },
  };
}
