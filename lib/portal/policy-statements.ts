/** IAM policy statements of the portal's functions. */

import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { environmentFunctionArns } from '../config/portal-configuration.ts';
import {
  addActions,
  itemStatement,
  keyStatement,
  lookUpActions,
  readActions,
  tableKeyStatement,
  writeActions,
} from '../environment/data-access.ts';
import type { PortalFunctionsProps } from './portal-data.ts';

/** Partitions of the portal's table (`lambdas/portal/adapters/portal-table-keys.ts`), by subject. */
const partitions = {
  /** Accounts with their codes, drafts and events; and who has which address and user name. */
  accounts: ['ACCOUNT#*', 'EMAIL#*', 'USERNAME#*'],
  sessions: ['SESSION#*'],
  teams: ['TEAM#*', 'INVITATION#*'],
  applications: ['APPLICATION#*'],
  /** The applications of clients, by the client. */
  clients: ['CLIENT#*'],
  queue: ['QUEUE'],
  accountLists: ['STATE#ACCOUNT#*'],
  applicationLists: ['STATE#APPLICATION#*'],
  outbox: ['OUTBOX'],
  limits: ['RATE#*'],
  botChecks: ['BOT#*'],
  testMembers: ['TESTMEMBERS'],
};

/** Policy statements of the portal's functions; each may write its own log as well. */
export class PortalStatements {
  private readonly props: PortalFunctionsProps;

  constructor(props: PortalFunctionsProps) {
    this.props = props;
  }

  /** Sign-up, sign-in, accounts and teams: nothing of applications. */
  accounts(): readonly PolicyStatement[] {
    const { data } = this.props;
    const { accounts, sessions, teams, outbox, limits, queue, accountLists, botChecks } = partitions;
    return [
      itemStatement(
        data,
        [...readActions, ...writeActions],
        [...accounts, ...sessions, ...teams, ...outbox, ...limits],
      ),
      itemStatement(data, writeActions, [...queue, ...accountLists]),
      itemStatement(data, addActions, botChecks),
      tableKeyStatement(data),
      this.developerPool([
        'AdminCreateUser',
        'AdminDisableUser',
        'AdminGetUser',
        'AdminInitiateAuth',
        'AdminSetUserPassword',
        'DescribeUserPoolClient',
      ]),
      ...data.messages.statements(),
      ...this.botCheckSecrets(),
    ];
  }

  /** A developer's applications, drafts and credentials, which require the password again. */
  applications(): readonly PolicyStatement[] {
    const { data } = this.props;
    const { sessions, limits, applications, clients, outbox, queue, applicationLists, testMembers } =
      partitions;
    return [
      itemStatement(
        data,
        [...readActions, ...writeActions],
        ['ACCOUNT#*', 'TEAM#*', ...sessions, ...limits, ...applications, ...outbox],
      ),
      itemStatement(data, addActions, clients),
      itemStatement(data, writeActions, queue),
      // A name is compared with those of other applications.
      itemStatement(data, [...readActions, ...writeActions], applicationLists),
      itemStatement(data, readActions, testMembers),
      tableKeyStatement(data),
      this.developerPool(['AdminInitiateAuth', 'DescribeUserPoolClient']),
      data.messages.mailStatement(),
      this.provisioning(),
    ];
  }

  /** Decisions about applications and accounts, by operators with a session. */
  operations(): readonly PolicyStatement[] {
    const { data } = this.props;
    return [
      itemStatement(data, [...readActions, 'dynamodb:UpdateItem'], partitions.sessions),
      itemStatement(data, lookUpActions, partitions.clients),
      this.invoking('jobFunctions'),
      ...this.decisions(),
    ];
  }

  /** The same decisions from the command line, the sandbox's test members, and operators themselves. */
  commandLine(): readonly PolicyStatement[] {
    return [
      itemStatement(this.props.data, [...readActions, ...writeActions], partitions.testMembers),
      this.developerPool([
        'AdminAddUserToGroup',
        'AdminCreateUser',
        'AdminRemoveUserFromGroup',
        'AdminSetUserPassword',
        'ListUsersInGroup',
      ]),
      ...this.decisions(),
    ];
  }

  /** The public page "Find a doctor": its keys and the limits of its visitors, and nothing of the portal's data. */
  directory(): readonly PolicyStatement[] {
    const { data } = this.props;
    return [
      itemStatement(data, ['dynamodb:UpdateItem'], partitions.limits),
      tableKeyStatement(data),
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: [data.directoryKeys.secretArn],
      }),
      keyStatement(data, data.secretsKey, 'secretsmanager', ['kms:Decrypt']),
    ];
  }

  outboxWorker(): readonly PolicyStatement[] {
    const { data } = this.props;
    const { accounts, teams, applications, clients, applicationLists, queue, outbox } = partitions;
    return [
      itemStatement(data, addActions, clients),
      itemStatement(data, [...readActions, ...writeActions], [...applications, ...outbox]),
      // An application that is suspended with an account changes its team's list and the operators'.
      itemStatement(data, writeActions, [...teams, ...applicationLists, ...queue]),
      itemStatement(data, readActions, accounts),
      tableKeyStatement(data),
      this.developerPool(['AdminDeleteUser']),
      data.messages.mailStatement(),
      this.provisioning(),
    ];
  }

  /** The rights to decide. A refused account's address and user name become free, and its team loses it. */
  private decisions(): readonly PolicyStatement[] {
    const { data } = this.props;
    const { accounts, teams, applications, clients, outbox, queue, accountLists, applicationLists } =
      partitions;
    return [
      itemStatement(data, addActions, clients),
      itemStatement(
        data,
        [...readActions, ...writeActions],
        [...accounts, ...teams, ...applications, ...outbox, ...queue, ...accountLists, ...applicationLists],
      ),
      tableKeyStatement(data),
      this.developerPool(['AdminDisableUser']),
      data.messages.mailStatement(),
      this.provisioning(),
    ];
  }

  private developerPool(actions: readonly string[]): PolicyStatement {
    return this.props.data.developers.statement(actions);
  }

  private botCheckSecrets(): PolicyStatement[] {
    const { data, configuration } = this.props;
    const { recaptcha } = configuration;
    return [
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: [data.botCheckSecret.secretArn, ...(recaptcha === undefined ? [] : [recaptcha.secretArn])],
      }),
      keyStatement(data, data.secretsKey, 'secretsmanager', ['kms:Decrypt']),
    ];
  }

  private provisioning(): PolicyStatement {
    return this.invoking('provisioningFunctions');
  }

  /** The right to invoke a function of each environment: the portal's only access to environments. */
  private invoking(setting: Parameters<typeof environmentFunctionArns>[0]): PolicyStatement {
    const { configuration, environments } = this.props;
    return new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: Object.values(environmentFunctionArns(setting, configuration, environments)),
    });
  }
}
