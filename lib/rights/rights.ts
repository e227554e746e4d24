/**
 * The table of rights: for each function, state machine and rule, the resources it may use, the part of each, and the actions on it. There
 * are no other rights, except that a function and a state machine may write their own logs, a state machine its traces, and that CodeDeploy
 * may change the aliases of functions (`lib/constructs/gradual-release.ts`). IAM policies are made from this table (`statements.ts`),
 * docs/rights.md shows it by resource, and test/lib/rights/rights.test.ts compares it with the templates.
 */

import type { IamResource } from './resources.ts';

type Actions = readonly string[];

/** Rights of a function, state machine or rule: actions by resource, or by part of a resource; `''` is the resource itself. */
export type RoleRights = Readonly<Partial<Record<IamResource, Actions | Readonly<Record<string, Actions>>>>>;

/** Actions on items of a table. A transaction needs the right for each of its operations. */
const lookUp = ['GetItem', 'BatchGetItem'];
const read = [...lookUp, 'Query'];
const write = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];
const all = [...read, ...write];
/** Adds audit events. No role may change or delete them; only roles with a read action on `AUDIT#…` may read them. */
const add = ['PutItem'];

const getVersions = ['GetObject', 'GetObjectVersion'];
/** Needed because S3 otherwise responds 403 for a missing object. */
const list = { '': ['ListBucket'] };
const invoke = ['InvokeFunction'];

/** Actions on the items of a sign-in, a consent, and the tokens and grants that follow. */
const memberJourney = (actions: Actions) => ({
  '<each lob>#INTERACTION#*': actions,
  '<each lob>#CODE#*': actions,
  '<each lob>#REFRESH#*': actions,
  '<each lob>#GRANT#*': actions,
});

/** Rights for operators' decisions. Refusing an account releases its e-mail address and user name, and removes it from its team. */
const decisions = {
  'ACCOUNT#*': all,
  'EMAIL#*': all,
  'USERNAME#*': all,
  'TEAM#*': all,
  'INVITATION#*': all,
  'APPLICATION#*': all,
  'OPERATOR#*': add,
  OUTBOX: all,
  QUEUE: all,
  'STATE#ACCOUNT#*': all,
  'STATE#APPLICATION#*': all,
};

/** The functions of an environment. Functions of a line of business may use only the partitions of `<lob>`. */
const environmentRights = {
  /**
   * Reads the lookup items of keys and applications, and the public keys by which both kinds of tokens are verified; no member and no
   * grant.
   */
  authorizer: {
    table: {
      '<lob>#KEY#*': lookUp,
      '<lob>#APPLICATION#*': lookUp,
      '<lob>#JWKS': lookUp,
      'M2M#JWKS': lookUp,
    },
  },
  'patient-access': {
    table: {
      '<lob>#PATIENT#*': read,
      '<lob>#GRANT#*': lookUp,
      'AUDIT#<lob>#*': add,
    },
  },
  /** Matches members, and begins, shows and downloads jobs. */
  'payer-access': {
    table: {
      '<lob>#APPLICATION#*': lookUp,
      '<lob>#MEMBER-ID#*': lookUp,
      '<lob>#PATIENT#*': read,
      '<lob>#RATE#*': [...lookUp, 'PutItem', 'UpdateItem'],
      '<lob>#GROUP#*': read,
      '<lob>#JOB#*': [...read, 'PutItem', 'UpdateItem'],
      '<lob>#JOBS': add,
      '<lob>#JOB-QUOTA#*': [...lookUp, 'UpdateItem'],
      '<lob>#JOB-LINE': [...read, 'PutItem', 'DeleteItem'],
      '<lob>#MATCHED#*': ['Query', 'PutItem'],
      // ConditionCheckItem: the member has not ended the payer's permission meanwhile.
      '<lob>#GRANT#*': [...read, 'PutItem', 'ConditionCheckItem'],
      'AUDIT#<lob>#*': add,
    },
    jobBucket: { '<lob>/*': ['GetObject', 'PutObject', 'DeleteObject'], ...list },
    jobMachines: { '<lob>': ['StartExecution'] },
  },
  /** Carries out jobs. */
  'payer-jobs': {
    table: {
      '<lob>#APPLICATION#*': lookUp,
      '<lob>#MEMBER-ID#*': lookUp,
      '<lob>#PATIENT#*': read,
      '<lob>#RATE#*': [...lookUp, 'PutItem', 'UpdateItem'],
      '<lob>#GROUP#*': add,
      '<lob>#JOB#*': [...read, 'PutItem', 'UpdateItem'],
      '<lob>#JOB-QUOTA#*': ['UpdateItem'],
      '<lob>#JOB-LINE': [...read, 'PutItem', 'UpdateItem', 'DeleteItem'],
      '<lob>#MATCHED#*': add,
      '<lob>#GRANT#*': [...lookUp, 'PutItem', 'ConditionCheckItem'],
      'AUDIT#<lob>#*': add,
    },
    jobBucket: { '<lob>/*': ['GetObject', 'PutObject', 'DeleteObject'], ...list },
  },
  'provider-directory': {
    publicationBucket: { '<lob>/*': ['GetObject'], ...list },
  },

  /** Sets the password of a member who entered a code sent to their contact data. */
  activation: {
    table: {
      '<each lob>#MEMBER-ID#*': lookUp,
      // Contact data of representatives who are not members.
      '<each lob>#REPRESENTATIVE#*': ['Query'],
      'MEMBERS#RATE#*': ['UpdateItem'],
      'MEMBERS#ACCOUNT#*': [...lookUp, 'UpdateItem'],
      'MEMBERS#SESSIONS#*': [...lookUp, 'UpdateItem'],
      '<each lob>#INTERACTION#*': [...lookUp, 'UpdateItem'],
      '<each lob>#MEMBER#*': [...lookUp, 'PutItem'],
      'AUDIT#<each lob>#*': add,
    },
    memberPool: ['AdminCreateUser', 'AdminGetUser', 'AdminSetUserPassword'],
    mail: ['SendEmail'],
    texts: ['Publish'],
    codeDigestKey: ['GenerateMac'],
    contactKey: ['Decrypt'],
  },
  /** Sign-in and consent; the only function that may check a member's password. */
  authorize: {
    table: {
      'CLIENT#*': read,
      '<each lob>#MEMBER#*': read,
      '<each lob>#MEMBER-ID#*': read,
      // To verify an `id_token_hint`.
      '<each lob>#JWKS': lookUp,
      'MEMBERS#SESSIONS#*': lookUp,
      // To find the members whose data an account may share, and to check in the transaction of a consent that it still may.
      '<each lob>#REPRESENTATIVE#*': ['Query', 'ConditionCheckItem'],
      ...memberJourney(all),
      '<each lob>#SESSION#*': all,
      '<each lob>#BROWSER#*': all,
      'MEMBERS#RATE#*': all,
      'AUDIT#<each lob>#*': add,
    },
    memberPool: ['AdminInitiateAuth', 'AdminGetUser', 'DescribeUserPoolClient'],
    mail: ['SendEmail'],
    texts: ['Publish'],
    codeDigestKey: ['GenerateMac'],
    contactKey: ['Decrypt'],
    functions: { activation: invoke },
  },
  /** The only function of a host that reads the audit of members' data. It may not check passwords or send messages. */
  'connected-apps': {
    table: {
      'CLIENT#*': lookUp,
      'MEMBERS#SESSIONS#*': lookUp,
      '<each lob>#MEMBER#*': lookUp,
      '<each lob>#MEMBER-ID#*': lookUp,
      // The members that an account represents, their grants, and the last reads of each grant.
      '<each lob>#REPRESENTATIVE#*': ['Query'],
      'AUDIT#<each lob>#PATIENT#*': ['Query', 'PutItem'],
      '<each lob>#INTERACTION#*': ['PutItem'],
      '<each lob>#GRANT#*': ['Query', 'UpdateItem'],
      // The member's exchanges with other plans.
      '<each lob>#EXCHANGE#*': ['Query', 'PutItem'],
      '<each lob>#EXCHANGE-DUE': ['PutItem', 'DeleteItem'],
      '<each lob>#SESSION#*': [...lookUp, 'UpdateItem', 'DeleteItem'],
    },
    memberPool: ['AdminGetUser'],
  },
  token: {
    table: {
      'CLIENT#*': lookUp,
      '<each lob>#JWKS': lookUp,
      // To check at a refresh that the account is not disabled, and whose data it may share.
      'MEMBERS#DISABLED': lookUp,
      '<each lob>#MEMBER#*': lookUp,
      '<each lob>#MEMBER-ID#*': lookUp,
      ...memberJourney([...lookUp, ...write]),
      '<each lob>#RATE#*': [...lookUp, ...write],
      '<each lob>#ASSERTION#*': write,
      '<each lob>#SECRET#*': add,
      '<each lob>#REPRESENTATIVE#*': ['Query', 'ConditionCheckItem'],
      'AUDIT#<each lob>#*': add,
    },
    signingSecrets: { '<each lob>': ['GetSecretValue'] },
  },
  discovery: {
    table: { '<key owner>#JWKS': lookUp },
  },
  userinfo: {
    table: {
      'CLIENT#*': lookUp,
      '<each lob>#GRANT#*': lookUp,
      '<each lob>#JWKS': lookUp,
      '<each lob>#RATE#*': ['UpdateItem'],
      'AUDIT#<each lob>#*': add,
    },
  },
  'machine-token': {
    table: {
      'CLIENT#*': lookUp,
      'M2M#JWKS': lookUp,
      'M2M#RATE#*': ['UpdateItem'],
      'M2M#ASSERTION#*': add,
      'M2M#SECRET#*': add,
      'AUDIT#M2M#*': add,
    },
    signingSecrets: { M2M: ['GetSecretValue'] },
  },
  'machine-authorizer': {
    table: { 'M2M#KEY#*': lookUp },
  },
  /** The only function that calls identity providers. It may not check passwords or read records. */
  federation: {
    table: {
      'CLIENT#*': lookUp,
      '<each lob>#MEMBER-ID#*': lookUp,
      // To find the members whose data an account may share.
      '<each lob>#REPRESENTATIVE#*': ['Query'],
      '<each lob>#INTERACTION#*': [...lookUp, ...write],
      '<each lob>#SESSION#*': [...lookUp, ...write],
      '<each lob>#MEMBER#*': [...lookUp, ...write],
      'AUDIT#<each lob>#*': add,
    },
    signingSecrets: { '<signing client>': ['GetSecretValue'] },
    providerSecrets: ['GetSecretValue'],
  },
  'key-rotation': {
    signingSecrets: {
      '<key owner>': ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
    },
    table: {
      '<key owner>#JWKS': ['GetItem', 'PutItem'],
      'AUDIT#<issuer>#*': add,
    },
  },

  /** Loads members and their resources, for operators. It encrypts contact data, but can't decrypt it. */
  ingest: {
    table: {
      '<each lob>#MEMBER#*': [...lookUp, 'PutItem'],
      '<each lob>#MEMBER-ID#*': [...lookUp, 'PutItem'],
      // To remove withdrawn resources, to rewrite the entry of an unchanged resource, and to find the resources that are about a resource
      // whose label changes.
      '<each lob>#PATIENT#*': [
        ...lookUp,
        ...['PutItem', 'Query', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      ],
      // To end an account's sessions when its addresses change.
      'MEMBERS#SESSIONS#*': ['UpdateItem'],
      'AUDIT#<each lob>#*': add,
    },
    contactKey: ['GenerateDataKey'],
    memberPool: ['AdminCreateUser', 'AdminGetUser', 'AdminSetUserPassword', 'AdminUpdateUserAttributes'],
  },
  /** Lists and ends a member's grants, for operators. */
  'operator-grants': {
    table: {
      'CLIENT#*': ['GetItem'],
      '<each lob>#MEMBER#*': ['GetItem'],
      '<each lob>#GRANT#*': ['Query', 'UpdateItem'],
      // To read the last access from the audit trail, and to record the end of each grant.
      'AUDIT#<each lob>#PATIENT#*': ['Query', 'PutItem'],
    },
    memberPool: ['AdminGetUser'],
  },
  'account-sweep': {
    table: {
      'MEMBERS#DISABLED': ['Query', 'DeleteItem', 'PutItem'],
      'MEMBERS#SESSIONS#*': ['UpdateItem'],
    },
    memberPool: ['ListUsers', 'AdminGetUser'],
  },

  /** Makes seals; it may not read events. */
  'audit-seal': {
    auditWindows: { 'WINDOW#*': ['Query'] },
    table: { 'SEAL#*': ['Query', 'PutItem'] },
    auditSigningKeys: ['Sign'],
    auditHeadStream: ['PutLogEvents'],
  },
  /** Verifies seals; it may not make them. */
  'audit-verify': {
    auditWindows: { 'WINDOW#*': ['Query'] },
    table: {
      'SEAL#*': ['Query', 'GetItem'],
      'AUDIT#*': ['BatchGetItem'],
    },
    itemKeys: ['Scan'],
    auditSigningKeys: ['GetPublicKey'],
    auditHeads: ['FilterLogEvents'],
  },
  /** Answers who accessed a member's data, and records who asked. It may not read the archive. */
  'audit-patient-record': {
    table: { 'AUDIT#<any lob>#PATIENT#*': ['Query', 'PutItem'] },
  },
  /** Answers what an application read, and records who asked. It may read nothing in the table. */
  'audit-application-record': {
    table: { 'AUDIT#<any lob>#CLIENT#*': add },
    auditArchive: { '*/<any lob>/*': ['GetObject'], '': ['ListBucket'] },
  },
  /** Copies sealed events to the archive; it may not make seals, and no role may delete what is there. */
  'audit-archive': {
    table: {
      'SEAL#*': ['Query', 'GetItem'],
      'AUDIT#*': ['BatchGetItem'],
      'ARCHIVE#*': ['GetItem', 'PutItem'],
    },
    auditSigningKeys: ['GetPublicKey'],
    // GetObject: to compare a file that is there already.
    auditArchive: { '*': ['PutObject', 'GetObject'] },
  },
  /** S3, which copies the archive with its retention to another account, where that is configured; it may not copy deletions. */
  'audit-replication': {
    auditArchive: {
      '': ['GetReplicationConfiguration', 'ListBucket'],
      '*': [
        ...['GetObjectVersionForReplication', 'GetObjectVersionAcl', 'GetObjectVersionTagging'],
        ...['GetObjectRetention', 'GetObjectLegalHold'],
      ],
    },
    auditCopy: { '*': ['ReplicateObject', 'ReplicateTags', 'ObjectOwnerOverrideToBucketOwner'] },
  },

  'directory-build': {
    table: { '<directory lob>#DIRECTORY#*': ['PutItem', 'Query'] },
    publicationBucket: {
      '*': ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'],
      ...list,
    },
  },
  'directory-operations': {
    table: { '<directory lob>#DIRECTORY#BUILDS': ['Query'] },
    publicationBucket: { '*': ['GetObject'], ...list },
    functions: { 'directory-build': invoke },
  },

  /** Accepts a drop, plans its ranges, and reports. It reads files and the ledger, but no member's record. */
  'load-steps': {
    table: {
      '<each lob>#LOAD#*': [...read, 'PutItem', 'UpdateItem'],
      '<each lob>#LOADS': [...read, 'PutItem', 'UpdateItem'],
      '<each lob>#FRESHNESS': [...read, 'PutItem', 'UpdateItem'],
    },
    ingestBucket: {
      '*': getVersions,
      ...list,
      '*/report.json': ['PutObject'],
      '*/report/*': ['PutObject'],
    },
  },
  /** Loads the rows of one range. It may not create or change accounts. It encrypts contact data, but can't decrypt it. */
  'load-range': {
    table: {
      '<each lob>#MEMBER-ID#*': [...lookUp, 'PutItem', 'UpdateItem'],
      '<each lob>#SHARED#*': [...lookUp, 'PutItem', 'UpdateItem'],
      // To remove withdrawn resources, and to move merged ones.
      '<each lob>#PATIENT#*': [
        ...lookUp,
        ...['PutItem', 'UpdateItem', 'Query', 'DeleteItem', 'ConditionCheckItem'],
      ],
      '<each lob>#DIRECTORY#*': [...lookUp, 'PutItem'],
      // To write representations, and to end grants that have lost their basis.
      '<each lob>#REPRESENTATIVE#*': [...lookUp, 'PutItem'],
      // Offers to ask other payers, and permissions, by rows of an enrollment system.
      '<each lob>#EXCHANGE#*': ['Query', 'PutItem'],
      '<each lob>#EXCHANGE-DUE': ['PutItem', 'DeleteItem'],
      '<each lob>#GRANT#*': ['Query', 'UpdateItem'],
      '<each lob>#LOAD#*': [...read, 'UpdateItem'],
      'AUDIT#<each lob>#*': add,
    },
    contactKey: ['GenerateDataKey'],
    ingestBucket: { '*': getVersions, '*/report/*': ['PutObject'] },
  },
  /** Serves the operator's CLI, checks every hour which sources are late, and starts drops without a load. */
  'load-operations': {
    table: {
      '<any lob>#LOAD#*': [...read, 'UpdateItem'],
      '<any lob>#LOADS': [...read, 'UpdateItem'],
      '<any lob>#FRESHNESS': [...read, 'UpdateItem'],
    },
    ingestBucket: {
      '*/report/*': getVersions,
      '*/manifest.json': getVersions,
      '*/report.json': getVersions,
      ...list,
    },
    loadMachine: ['StartExecution'],
    loadExecutions: ['DescribeExecution'],
  },
  /** Serves the operator's CLI and the portal's console, and sweeps the jobs. It reads no file and no member's record. */
  'job-operations': {
    table: {
      '<each lob>#JOBS': read,
      '<each lob>#JOB#*': [...read, 'UpdateItem'],
      '<each lob>#JOB-QUOTA#*': ['UpdateItem'],
      '<each lob>#JOB-LINE': [...read, 'DeleteItem'],
      'AUDIT#<each lob>#CLIENT#*': add,
    },
    jobBucket: { '*/jobs/*': ['DeleteObject'], ...list },
    jobMachines: { '<each lob>': ['StartExecution'] },
    jobExecutions: { '<each lob>': ['DescribeExecution'] },
  },
  /** Serves the operator's CLI, and moves exchanges with other payers on whose time has come. It reads no member's record. */
  'exchange-operations': {
    table: {
      '<any lob>#EXCHANGE#*': ['BatchGetItem', 'Query', 'PutItem'],
      '<any lob>#EXCHANGE-DUE': ['Query', 'PutItem', 'DeleteItem'],
      'AUDIT#<any lob>#PATIENT#*': add,
      'OTHER-PAYERS': [...read, 'PutItem', 'UpdateItem', 'DeleteItem'],
      'AUDIT#M2M#SERVICE#*': add,
    },
    payerCredentialKey: ['Encrypt', 'Decrypt'],
    // To test whether a payer gives this plan a token.
    signingSecrets: { PAYERS: ['GetSecretValue'] },
  },

  /**
   * Asks other payers about members, and hands what they sent to the loader as drops. The only function that sends members' identities to
   * other payers. It writes no record.
   */
  'exchange-steps': {
    table: {
      '<each lob>#EXCHANGE#*': ['BatchGetItem', 'PutItem'],
      '<each lob>#EXCHANGE-DUE': ['Query', 'PutItem', 'DeleteItem'],
      '<each lob>#EXCHANGE-RUN#*': [...lookUp, 'PutItem'],
      '<each lob>#EXCHANGE-RUNS': ['Query', 'PutItem', 'DeleteItem'],
      'OTHER-PAYERS': ['GetItem'],
      '<each lob>#PATIENT#*': ['BatchGetItem'],
      'AUDIT#<each lob>#PATIENT#*': add,
    },
    jobBucket: { '*/exchanges/*': ['GetObject', 'PutObject', 'DeleteObject'], ...list },
    ingestBucket: {
      '*/payer-*': ['PutObject'],
      '*/payer-*/report.json': ['GetObject'],
      '*/payer-*/manifest.json': ['GetObject'],
      ...list,
    },
    exchangeMachine: ['StartExecution'],
    payerCredentialKey: ['Decrypt'],
    signingSecrets: { PAYERS: ['GetSecretValue'] },
  },
  'exchange-machine': {
    functions: { 'exchange-steps': invoke },
  },

  /** Registers applications, for the portal. */
  provisioning: {
    table: {
      'CLIENT#*': [...lookUp, 'PutItem', 'DeleteItem'],
      'REQUEST#*': [...lookUp, 'PutItem', 'DeleteItem'],
      '<issuer>#KEY#*': [...lookUp, 'PutItem', 'DeleteItem'],
      '<each lob>#APPLICATION#*': [...lookUp, 'PutItem', 'DeleteItem'],
      '<issuer>#SECRET#*': lookUp,
      'AUDIT#<issuer>#*': add,
      // For the portal's status page, which shows the LOBs whose data is late.
      '<any lob>#FRESHNESS': ['Query'],
    },
    credentialKey: ['Encrypt', 'Decrypt'],
    callLogs: ['FilterLogEvents'],
    apiKeys: { '/apikeys': ['POST', 'GET'], '/apikeys/*': ['GET'] },
    // A key without this environment's tag does not belong to it.
    taggedApiKeys: ['PATCH', 'DELETE'],
    // Creating a key with a tag needs the right to tag it as well.
    apiKeyTags: ['PUT'],
    usagePlans: { keys: ['POST', 'GET'], 'keys/*': ['GET', 'DELETE'], usage: ['GET'] },
  },

  'load-machine': {
    functions: { 'load-steps': invoke, 'load-range': invoke, 'directory-build': invoke },
    // Each range is an execution of its own.
    loadMachine: ['StartExecution'],
    loadExecutions: ['DescribeExecution', 'StopExecution'],
    ingestBucket: { '*/report/*': ['GetObject'] },
  },
  /** The plan's own role that uploads drops of one line of business. It reads nothing, not even what it has written. */
  uploader: {
    ingestBucket: { '<each lob>/*': ['PutObject', 'AbortMultipartUpload'] },
  },
  /** The rule that starts a load when a manifest arrives. */
  'load-rule': {
    loadMachine: ['StartExecution'],
  },
  'job-machine': {
    functions: { 'payer-jobs': invoke },
  },
} as const satisfies Readonly<Record<string, RoleRights>>;

/** The functions of the portal. */
const portalRights = {
  /** Sign-up, sign-in, accounts and teams; no applications. */
  'portal-accounts': {
    portalTable: {
      'ACCOUNT#*': all,
      'EMAIL#*': all,
      'USERNAME#*': all,
      'SESSION#*': all,
      'TEAM#*': all,
      'INVITATION#*': all,
      OUTBOX: all,
      'RATE#*': all,
      QUEUE: write,
      'STATE#ACCOUNT#*': write,
      'BOT#*': add,
    },
    developerPool: [
      'AdminCreateUser',
      'AdminDisableUser',
      'AdminGetUser',
      'AdminInitiateAuth',
      'AdminSetUserPassword',
      'DescribeUserPoolClient',
    ],
    mail: ['SendEmail'],
    texts: ['Publish'],
    codeDigestKey: ['GenerateMac'],
    botCheckSecret: ['GetSecretValue'],
    recaptchaSecret: ['GetSecretValue'],
  },
  /** A developer's applications, drafts and credentials, which require the password again. */
  'portal-applications': {
    portalTable: {
      'ACCOUNT#*': all,
      'TEAM#*': all,
      'SESSION#*': all,
      'RATE#*': all,
      'APPLICATION#*': all,
      OUTBOX: all,
      // To compare a name with those of other applications.
      'STATE#APPLICATION#*': all,
      'CLIENT#*': add,
      QUEUE: write,
      TESTMEMBERS: read,
      'STATUS#*': read,
    },
    developerPool: ['AdminInitiateAuth', 'DescribeUserPoolClient'],
    mail: ['SendEmail'],
    environmentFunctions: { provisioning: invoke },
  },
  /** Operators' decisions about applications and accounts, on the portal's pages. */
  'portal-operations': {
    environmentFunctions: {
      'directory-operations': invoke,
      'job-operations': invoke,
      'load-operations': invoke,
      provisioning: invoke,
    },
    portalTable: {
      'SESSION#*': [...read, 'UpdateItem'],
      'CLIENT#*': [...lookUp, 'PutItem'],
      ...decisions,
      // An operator reads their own acts.
      'OPERATOR#*': [...add, 'Query'],
    },
    developerPool: ['AdminDisableUser'],
    mail: ['SendEmail'],
  },
  /**
   * The same decisions on the command line, management of the sandbox's test members and of operators, and the status page's measurements and
   * incidents.
   */
  'application-operations': {
    developerPool: [
      'AdminAddUserToGroup',
      'AdminCreateUser',
      'AdminDisableUser',
      'AdminRemoveUserFromGroup',
      'AdminSetUserPassword',
      'ListUsersInGroup',
    ],
    portalTable: {
      TESTMEMBERS: all,
      'STATUS#*': all,
      'CLIENT#*': add,
      ...decisions,
    },
    mail: ['SendEmail'],
    environmentFunctions: { provisioning: invoke },
  },
  /**
   * The public pages "Find a doctor" and the status: the subscription keys and rate limits of the one, the measurements and incidents of the
   * other. It reads none of developers' data.
   */
  'portal-directory': {
    portalTable: { 'RATE#*': ['UpdateItem'], 'STATUS#*': read },
    directoryKeys: ['GetSecretValue'],
  },
  /** Answers what an operator did, and records who asked. */
  'operator-record': {
    portalTable: { 'OPERATOR#*': [...add, 'Query'] },
  },
  'portal-outbox-worker': {
    portalTable: {
      'CLIENT#*': add,
      'APPLICATION#*': all,
      'OPERATOR#*': add,
      OUTBOX: all,
      // Suspending an application with its account changes the lists of its team and of operators.
      'TEAM#*': write,
      'INVITATION#*': write,
      'STATE#APPLICATION#*': write,
      QUEUE: write,
      'ACCOUNT#*': read,
      'EMAIL#*': read,
      'USERNAME#*': read,
    },
    developerPool: ['AdminDeleteUser'],
    mail: ['SendEmail'],
    environmentFunctions: { provisioning: invoke },
  },
} as const satisfies Readonly<Record<string, RoleRights>>;

export const rights = { ...environmentRights, ...portalRights };

/** Name of a function, state machine or rule in the table. */
export type RoleName = keyof typeof rights;

/** A right in the table: actions on a part of a resource; `''` for the resource itself. */
export interface PartRight {
  readonly on: IamResource;
  readonly part: string;
  readonly actions: Actions;
}

/** The rights of a row, in the order of the table. */
export function partRights(row: RoleRights): PartRight[] {
  return (Object.keys(row) as IamResource[]).flatMap((on) => {
    const { [on]: held = [] } = row;
    const parts = isActions(held) ? { '': held } : held;
    return Object.entries(parts).map(([part, actions]) => ({ on, part, actions }));
  });
}

function isActions(held: Actions | Readonly<Record<string, Actions>>): held is Actions {
  return Array.isArray(held);
}
