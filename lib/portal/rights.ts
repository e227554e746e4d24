import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { provisioningFunctionArns } from '../config/portal-configuration.ts';
import { add, items, keyThrough, read, tableKey, write } from '../environment/data-access.ts';
import type { PortalFunctionsProps } from './portal-data.ts';

/** Partitions of the portal's table (`lambdas/portal/adapters/keys.ts`), by what they are about. */
const partitions = {
  /** Accounts with their codes, drafts and events; and who has which address and user name. */
  accounts: ['ACCOUNT#*', 'EMAIL#*', 'USERNAME#*'],
  sessions: ['SESSION#*'],
  teams: ['TEAM#*', 'INVITATION#*'],
  applications: ['APPLICATION#*'],
  queue: ['QUEUE'],
  accountLists: ['STATE#ACCOUNT#*'],
  applicationLists: ['STATE#APPLICATION#*'],
  outbox: ['OUTBOX'],
  limits: ['RATE#*'],
  botChecks: ['BOT#*'],
  testMembers: ['TESTMEMBERS'],
};

/** Policy statements of the portal's functions; each may write its own log as well. */
export class PortalRights {
  private readonly props: PortalFunctionsProps;

  constructor(props: PortalFunctionsProps) {
    this.props = props;
  }

  /** Sign-up, sign-in, accounts and teams: nothing of applications. */
  accounts(): readonly PolicyStatement[] {
    const { data } = this.props;
    const { accounts, sessions, teams, outbox, limits, queue, accountLists, botChecks } = partitions;
    return [
      items(data, [...read, ...write], [...accounts, ...sessions, ...teams, ...outbox, ...limits]),
      items(data, write, [...queue, ...accountLists]),
      items(data, add, botChecks),
      tableKey(data),
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

  /** A developer's own: applications, drafts, credentials, for which the password is asked once more. */
  applications(): readonly PolicyStatement[] {
    const { data } = this.props;
    const { sessions, limits, applications, outbox, queue, applicationLists, testMembers } = partitions;
    return [
      items(
        data,
        [...read, ...write],
        ['ACCOUNT#*', 'TEAM#*', ...sessions, ...limits, ...applications, ...outbox],
      ),
      items(data, write, queue),
      // A name is compared with those of other applications.
      items(data, [...read, ...write], applicationLists),
      items(data, read, testMembers),
      tableKey(data),
      this.developerPool(['AdminInitiateAuth', 'DescribeUserPoolClient']),
      data.messages.mailStatement(),
      this.provisioning(),
    ];
  }

  /** Decisions about applications and accounts, by operators with a session. */
  operations(): readonly PolicyStatement[] {
    const { data } = this.props;
    return [items(data, [...read, 'dynamodb:UpdateItem'], partitions.sessions), ...this.decisions()];
  }

  /** The same decisions from the command line, the sandbox's test members, and operators themselves. */
  commandLine(): readonly PolicyStatement[] {
    return [
      items(this.props.data, [...read, ...write], partitions.testMembers),
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

  outboxWorker(): readonly PolicyStatement[] {
    const { data } = this.props;
    const { accounts, teams, applications, applicationLists, queue, outbox } = partitions;
    return [
      items(data, [...read, ...write], [...applications, ...outbox]),
      // An application that is suspended with an account changes its team's list and the operators'.
      items(data, write, [...teams, ...applicationLists, ...queue]),
      items(data, read, accounts),
      tableKey(data),
      this.developerPool(['AdminDeleteUser']),
      data.messages.mailStatement(),
      this.provisioning(),
    ];
  }

  /** The rights to decide. A refused account's address and user name become free, and its team loses it. */
  private decisions(): readonly PolicyStatement[] {
    const { data } = this.props;
    const { accounts, teams, applications, outbox, queue, accountLists, applicationLists } = partitions;
    return [
      items(
        data,
        [...read, ...write],
        [...accounts, ...teams, ...applications, ...outbox, ...queue, ...accountLists, ...applicationLists],
      ),
      tableKey(data),
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
      keyThrough(data, data.secretsKey, 'secretsmanager', ['kms:Decrypt']),
    ];
  }

  /** The right to invoke `provisioning`, the portal's only access to an environment. */
  private provisioning(): PolicyStatement {
    const { configuration, environments } = this.props;
    return new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: Object.values(provisioningFunctionArns(configuration, environments)),
    });
  }
}
