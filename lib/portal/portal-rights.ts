import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { provisioningFunctionArns } from '../config/portal-configuration.ts';
import { items, keyThrough, read, tableKey, write } from '../data-access.ts';
import type { PortalFunctionsProps } from './portal-functions.ts';

/** Partitions of the portal's table (`lambdas/storage/portal-keys.ts`), by what they are about. */
const partitions = {
  /** Accounts with their codes, drafts, events and sessions; and who has which address and user name. */
  accounts: ['ACCOUNT#*', 'EMAIL#*', 'USERNAME#*'],
  sessions: ['SESSION#*'],
  teams: ['TEAM#*', 'INVITATION#*'],
  applications: ['APPLICATION#*'],
  /** What awaits an operator, and the lists operators read. */
  desk: ['QUEUE', 'STATE#*'],
  outbox: ['OUTBOX'],
  limits: ['RATE#*'],
  botChecks: ['BOT#*'],
  testMembers: ['TESTMEMBERS'],
};

/** What the portal's functions may do, each beside writing its own log. */
export class PortalRights {
  private readonly props: PortalFunctionsProps;

  constructor(props: PortalFunctionsProps) {
    this.props = props;
  }

  /** Sign-up, sign-in, accounts and teams: everything but applications. */
  accounts(): readonly PolicyStatement[] {
    const { accounts, sessions, teams, desk, outbox, limits, botChecks } = partitions;
    return [
      ...this.table([...accounts, ...sessions, ...teams, ...desk, ...outbox, ...limits, ...botChecks]),
      this.developerPool([
        'AdminCreateUser',
        'AdminDisableUser',
        'AdminGetUser',
        'AdminInitiateAuth',
        'AdminListGroupsForUser',
        'AdminRespondToAuthChallenge',
        'AdminSetUserPassword',
        'DescribeUserPoolClient',
      ]),
      ...this.props.data.messages.statements(),
      ...this.botCheckSecrets(),
    ];
  }

  applications(): readonly PolicyStatement[] {
    const { accounts, sessions, teams, applications, desk, outbox, limits, testMembers } = partitions;
    return [
      ...this.table([...accounts, ...sessions, ...teams, ...applications, ...desk, ...outbox, ...limits]),
      items(this.props.data, read, testMembers),
      this.developerPool(['AdminInitiateAuth', 'DescribeUserPoolClient']),
      ...this.props.data.messages.statements(),
      this.provisioning(),
    ];
  }

  operations(): readonly PolicyStatement[] {
    const { accounts, sessions, teams, applications, desk, outbox } = partitions;
    return [
      ...this.table([...accounts, ...sessions, ...applications, ...desk, ...outbox]),
      items(this.props.data, read, teams),
      this.developerPool(['AdminDisableUser', 'AdminEnableUser']),
      ...this.props.data.messages.statements(),
      this.provisioning(),
    ];
  }

  /** As an operator's pages, and the sandbox's test members. */
  commandLine(): readonly PolicyStatement[] {
    return [...this.operations(), items(this.props.data, [...read, ...write], partitions.testMembers)];
  }

  upkeep(): readonly PolicyStatement[] {
    const { accounts, applications, outbox } = partitions;
    return [
      ...this.table([...applications, ...outbox]),
      items(this.props.data, read, accounts),
      ...this.props.data.messages.statements(),
      this.provisioning(),
    ];
  }

  private table(partitionsOf: readonly string[]): PolicyStatement[] {
    return [items(this.props.data, [...read, ...write], partitionsOf), tableKey(this.props.data)];
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

  /** The one door to each environment. */
  private provisioning(): PolicyStatement {
    const { configuration, environments } = this.props;
    return new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: Object.values(provisioningFunctionArns(configuration, environments)),
    });
  }
}
