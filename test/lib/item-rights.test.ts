import { beforeAll, describe, expect, it } from 'vitest';
import type { Key } from '../../lambdas/platform/table/key.ts';
import {
  applicationKey,
  auditKey,
  authorizationCodeKey,
  clientKey,
  connectedAppsSessionKey,
  grantKey,
  interactionKey,
  jwksKey,
  knownBrowserKey,
  matchedPatientKey,
  memberKey,
  patientEntryKey,
  patientResourceKey,
  permissionEndsKey,
  provisioningRequestKey,
  rateKey,
  refreshFamilyKey,
  sealedListKey,
  sealKey,
  secretUseKey,
  ssoSessionConsentKey,
  ssoSessionKey,
  subscriptionKeyKey,
  usedAssertionKey,
} from '../../lambdas/platform/table/table-keys.ts';
import { resources, synthesizeApp, type Template, template } from './synthesized-app.ts';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: {
    readonly 'ForAllValues:StringLike'?: { readonly 'dynamodb:LeadingKeys': readonly string[] };
  };
}

let templates: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
});

const actionsOf = ({ Action }: Statement): readonly string[] =>
  typeof Action === 'string' ? [Action] : Action;

/** The DynamoDB statements of a stack's policies, each with the policy's logical ID. */
function tableStatements(stack: string): readonly (readonly [policy: string, statement: Statement])[] {
  return Object.entries(template(templates, stack).Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::ManagedPolicy')
    .flatMap(([policy, { Properties: properties }]) => {
      const document = properties.PolicyDocument as { readonly Statement: readonly Statement[] };
      // A function's statements on items are in a separate policy.
      const name = policy.replace('TablePolicy', 'Policy');
      return document.Statement.map((statement) => [name, statement] as const);
    })
    .filter(([, statement]) => actionsOf(statement).some((action) => action.startsWith('dynamodb:')));
}

function patterns(statement: Statement): readonly string[] {
  return statement.Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [];
}

function matches(pattern: string, pk: string): boolean {
  return pattern.endsWith('*') ? pk.startsWith(pattern.slice(0, -1)) : pk === pattern;
}

/** Whether the function whose policy ID begins with `policy` may do the action on the item. */
function may(stack: string, policy: string, action: string, { pk }: Key): boolean {
  const own = tableStatements(stack).filter(([id]) => id.startsWith(policy));
  return own.some(
    ([, statement]) =>
      actionsOf(statement).includes(`dynamodb:${action}`) &&
      patterns(statement).some((pattern) => matches(pattern, pk)),
  );
}

const isScan = (statement: Statement) => actionsOf(statement).join() === 'dynamodb:Scan';

const dsnpPatient = patientResourceKey('DSNP', 'p1', 'Patient', 'p1');
const dsnpAudit = auditKey('DSNP', { patientId: 'p1' }, '2026-01-01T00:00:00.000Z', 'e1');

/** All actions on single items. */
const actionsOnItems = [
  'GetItem',
  'BatchGetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'ConditionCheckItem',
] as const;

describe('the rights on the environment table', () => {
  it('name the partitions in every statement of every role', () => {
    const statements = [...templates.keys()].flatMap(tableStatements);
    expect(statements.length).toBeGreaterThan(40);
    for (const [policy, statement] of statements) {
      if (isScan(statement)) continue;
      expect(patterns(statement), policy).not.toEqual([]);
      expect(actionsOf(statement).join(' '), policy).not.toMatch(/\*|Scan/);
    }
  });

  it('name all partitions of an action in one statement, however AWS groups the keys of a transaction', () => {
    for (const stack of templates.keys()) {
      const named = tableStatements(stack).flatMap(([policy, statement]) =>
        actionsOf(statement).map((action) => `${policy} ${action} ${JSON.stringify(statement.Resource)}`),
      );
      expect(new Set(named).size, stack).toBe(named.length);
    }
  });

  it('let one function look through the whole table, and see of it no more than where the events are', () => {
    const scans = [...templates.keys()].flatMap(tableStatements).filter(([, statement]) => isScan(statement));
    expect(scans.map(([policy]) => policy.replace(/Policy.*/, ''))).toEqual(['AuditVerify', 'AuditVerify']);
    for (const [, statement] of scans) {
      expect(statement.Condition).toEqual({
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'sealWindow'] },
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      });
    }
  });

  /** The functions whose policies have a statement on the item, with its actions. */
  const holders = ({ pk }: Key) =>
    [...templates.keys()]
      .flatMap(tableStatements)
      .filter(([, statement]) => patterns(statement).some((pattern) => matches(pattern, pk)))
      .map(([policy, statement]) => [policy.replace(/Policy.*/, ''), actionsOf(statement)] as const);

  it('let nobody change or delete an audit event, and only verification, the archive, a member’s record and connected apps read any', () => {
    const onAudit = holders(dsnpAudit);
    expect(onAudit.length).toBeGreaterThan(6);
    for (const [name, actions] of onAudit) {
      const allowed =
        name === 'AuditVerify' || name === 'AuditArchive'
          ? ['dynamodb:BatchGetItem']
          : ['FunctionsConnectedApps', 'OperatorGrants', 'AuditPatientRecord'].includes(name)
            ? ['dynamodb:PutItem', 'dynamodb:Query']
            : ['dynamodb:PutItem'];
      expect(allowed, name).toEqual(expect.arrayContaining([...actions]));
    }
  });

  it('let each function of the authorization server that decides add to the audit', () => {
    for (const name of ['Authorize', 'ConnectedApps', 'Token', 'Userinfo']) {
      expect(may('sandbox/Authorization', `Functions${name}Policy`, 'PutItem', dsnpAudit), name).toBe(true);
    }
  });

  it('let the connected apps read what was read of a patient, and of nobody else, and no other page of the member’s', () => {
    const clientAudit = auditKey('DSNP', { clientId: 'c' }, '2026-01-01T00:00:00.000Z', 'e1');
    const connectedApps = (action: string, key: Key) =>
      may('sandbox/Authorization', 'FunctionsConnectedAppsPolicy', action, key);
    expect(connectedApps('Query', dsnpAudit)).toBe(true);
    expect(connectedApps('GetItem', dsnpAudit)).toBe(false);
    expect(connectedApps('Query', clientAudit)).toBe(false);
    expect(connectedApps('PutItem', grantKey('DSNP', 'p1', 'g'))).toBe(false);
    for (const name of ['Authorize', 'Token', 'Userinfo', 'Activation']) {
      expect(may('sandbox/Authorization', `Functions${name}Policy`, 'Query', dsnpAudit), name).toBe(false);
    }
  });

  it('keep a patient’s resources from every function that neither serves, matches nor loads members', () => {
    const entry = patientEntryKey('DSNP', 'p1', 'Coverage', 'c1');
    for (const key of [dsnpPatient, entry]) {
      const found = holders(key).map(([name]) => name);
      // Each name is found in every environment and listed once.
      expect([...new Set(found)].sort()).toEqual([
        // Tells another payer who the member is.
        'FunctionsExchangeSteps',
        'FunctionsPatientAccess',
        // Compares the Patient to another payer's data.
        'FunctionsPayerAccess',
        'FunctionsPayerJobs',
        'Ingest',
        'LoadRange',
      ]);
    }
    const grants = new Set(holders(grantKey('DSNP', 'p1', 'g')).map(([name]) => name));
    expect([...grants].sort()).toEqual([
      'FunctionsAuthorize',
      'FunctionsConnectedApps',
      'FunctionsPatientAccess',
      // This function and the next add the grant of a member match.
      'FunctionsPayerAccess',
      'FunctionsPayerJobs',
      'FunctionsToken',
      'FunctionsUserinfo',
      // Ends grants when a patient is withdrawn or a representation ends.
      'LoadRange',
      'OperatorGrants',
    ]);
  });

  it('let a match write what it writes: the grant, the list of matched patients, and the check of ended permissions', () => {
    for (const name of ['FunctionsPayerAccess', 'FunctionsPayerJobs']) {
      const access = (action: string, key: Key) => may('sandbox/LobDSNP', name, action, key);
      expect(access('PutItem', grantKey('DSNP', 'p1', 'g'))).toBe(true);
      expect(access('PutItem', matchedPatientKey('DSNP', 'c1', 'p1'))).toBe(true);
      const ends = permissionEndsKey('DSNP', 'p1');
      const ofEnds = ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem', 'DeleteItem'];
      expect(ofEnds.map((action) => access(action, ends))).toEqual([true, true, false, false]);
    }
    for (const [stack, name] of [
      ['sandbox/Authorization', 'FunctionsAuthorizePolicy'],
      ['sandbox/Loads', 'LoadRange'],
    ] as const) {
      expect(may(stack, name, 'UpdateItem', permissionEndsKey('DSNP', 'p1')), name).toBe(true);
    }
  });

  it('let Patient Access look a grant up with a resource in one call, and neither list nor change grants', () => {
    const [, together] =
      tableStatements('sandbox/LobDSNP').find(
        ([policy, statement]) =>
          policy.startsWith('FunctionsPatientAccess') &&
          actionsOf(statement).includes('dynamodb:BatchGetItem'),
      ) ?? [];
    expect(together && patterns(together)).toEqual(['DSNP#GRANT#*', 'DSNP#PATIENT#*']);
    const access = (action: string) =>
      may('sandbox/LobDSNP', 'FunctionsPatientAccess', action, grantKey('DSNP', 'p1', 'g'));
    expect(['Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map(access)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('let an operator end a grant of a patient, and load, sign in and register nobody', () => {
    const operator = (action: string, key: Key) => may('sandbox/Data', 'OperatorGrantsPolicy', action, key);
    expect(operator('UpdateItem', grantKey('DSNP', 'p1', 'g'))).toBe(true);
    expect(operator('PutItem', dsnpAudit)).toBe(true);
    expect(operator('Query', dsnpAudit)).toBe(true);
    expect(operator('GetItem', clientKey('c'))).toBe(true);
    expect(operator('GetItem', memberKey('DSNP', 's'))).toBe(true);
    for (const action of [...actionsOnItems, 'Query']) {
      expect(operator(action, dsnpPatient), action).toBe(false);
    }
    const clientAudit = auditKey('DSNP', { clientId: 'c' }, '2026-01-01T00:00:00.000Z', 'e1');
    for (const key of [clientKey('c'), memberKey('DSNP', 's'), refreshFamilyKey('DSNP', 'f'), clientAudit]) {
      expect(operator('PutItem', key), key.pk).toBe(false);
      expect(operator('UpdateItem', key), key.pk).toBe(false);
    }
  });

  it('let one function add seals, and nobody change or delete one', () => {
    for (const key of [sealKey('DSNP', 1), sealedListKey('WINDOW#DSNP#2026-11-20T10:05#3', 0)]) {
      const rights = holders(key).map(([name, actions]) => `${name} ${[...actions].sort().join(' ')}`);
      expect([...new Set(rights)].sort()).toEqual([
        'AuditArchive dynamodb:GetItem',
        'AuditArchive dynamodb:Query',
        'AuditSeal dynamodb:PutItem dynamodb:Query',
        'AuditVerify dynamodb:GetItem dynamodb:Query',
      ]);
    }
  });

  it('let who makes seals verify none, and who verifies them make none', () => {
    const policies = resources(template(templates, 'sandbox/Data'), 'AWS::IAM::ManagedPolicy').map(
      ({ Properties: properties }) => JSON.stringify(properties),
    );
    const made = policies.filter((policy) => policy.includes('kms:Sign'));
    const verified = policies.filter((policy) => policy.includes('kms:GetPublicKey'));
    expect([made.length, verified.length]).toEqual([1, 2]);
    expect(verified).not.toContain(made[0]);
  });

  it("end at the line of business: no function of one reads another's member", () => {
    expect(may('sandbox/LobDSNP', 'FunctionsPatientAccess', 'BatchGetItem', dsnpPatient)).toBe(true);
    expect(may('sandbox/LobDSNP', 'FunctionsPatientAccess', 'PutItem', dsnpAudit)).toBe(true);
    expect(may('sandbox/LobMAPD', 'FunctionsPatientAccess', 'BatchGetItem', dsnpPatient)).toBe(false);
    expect(may('sandbox/LobMAPD', 'FunctionsPatientAccess', 'PutItem', dsnpAudit)).toBe(false);
    expect(may('sandbox/LobDSNP', 'FunctionsPatientAccess', 'PutItem', dsnpPatient)).toBe(false);
  });

  it('let one function of a line of business search its members’ partitions, and nothing else', () => {
    const search = (stack: string, policy: string, key: Key) => may(stack, policy, 'Query', key);
    const entry = patientEntryKey('DSNP', 'p1', 'Coverage', 'c1');
    expect(search('sandbox/LobDSNP', 'FunctionsPatientAccess', entry)).toBe(true);
    expect(search('sandbox/LobDSNP', 'FunctionsAuthorizer', entry)).toBe(false);
    for (const lob of ['MAPD', 'EGWP']) {
      expect(search(`sandbox/Lob${lob}`, 'FunctionsPatientAccess', entry)).toBe(false);
    }
    for (const key of [
      dsnpAudit,
      jwksKey('DSNP'),
      memberKey('DSNP', 's'),
      authorizationCodeKey('DSNP', 'c'),
    ]) {
      expect(search('sandbox/LobDSNP', 'FunctionsPatientAccess', key)).toBe(false);
    }
  });

  it('let the ingest take a resource and its entry away, and neither a member’s link nor an event', () => {
    const ingest = (action: string, key: Key) => may('sandbox/Data', 'Ingest', action, key);
    expect(ingest('DeleteItem', patientResourceKey('DSNP', 'p1', 'Coverage', 'c1'))).toBe(true);
    expect(ingest('DeleteItem', patientEntryKey('DSNP', 'p1', 'Coverage', 'c1'))).toBe(true);
    expect(ingest('ConditionCheckItem', dsnpPatient)).toBe(true);
    for (const key of [memberKey('DSNP', 's'), dsnpAudit, jwksKey('DSNP')]) {
      expect(ingest('DeleteItem', key)).toBe(false);
    }
  });

  it('show the authorizer keys and no member', () => {
    const authorizer = (key: Key) => may('sandbox/LobDSNP', 'FunctionsAuthorizer', 'GetItem', key);
    expect(authorizer(subscriptionKeyKey('DSNP', 'aa'))).toBe(true);
    expect(authorizer(jwksKey('DSNP'))).toBe(true);
    expect(authorizer(jwksKey('M2M'))).toBe(true);
    expect(authorizer(applicationKey('DSNP', 'c'))).toBe(true);
    expect(authorizer(applicationKey('MAPD', 'c'))).toBe(false);
    expect(authorizer(subscriptionKeyKey('MAPD', 'aa'))).toBe(false);
    expect(authorizer(dsnpPatient)).toBe(false);
  });

  it.each([
    ['interaction', interactionKey('DSNP', 'i')],
    ['authorization code', authorizationCodeKey('DSNP', 'c')],
    ['grant', grantKey('DSNP', 'p1', 'g')],
    ['session', connectedAppsSessionKey('DSNP', 's')],
    ['SSO session', ssoSessionKey('DSNP', 's')],
    ['consent of an SSO session', ssoSessionConsentKey('DSNP', 's', 'c')],
    ['known browser', knownBrowserKey('DSNP', 'b')],
  ])('let sign-in and consent keep: %s', (_what, key) => {
    expect(may('sandbox/Authorization', 'FunctionsAuthorizePolicy', 'PutItem', key)).toBe(true);
    expect(may('sandbox/Authorization', 'FunctionsAuthorizePolicy', 'GetItem', key)).toBe(true);
  });

  it('let sign-in and consent look whether an id_token is ours, and publish no key', () => {
    const authorize = (action: string) =>
      may('sandbox/Authorization', 'FunctionsAuthorizePolicy', action, jwksKey('DSNP'));
    expect(['GetItem', 'PutItem', 'UpdateItem'].map(authorize)).toEqual([true, false, false]);
  });

  it('let the token endpoint redeem a code, and let it sign with no key of its own making', () => {
    const token = (action: string, key: Key) =>
      may('sandbox/Authorization', 'FunctionsTokenPolicy', action, key);
    expect(token('UpdateItem', authorizationCodeKey('DSNP', 'c'))).toBe(true);
    expect(token('PutItem', refreshFamilyKey('DSNP', 'f'))).toBe(true);
    expect(token('GetItem', clientKey('c'))).toBe(true);
    expect(token('PutItem', clientKey('c'))).toBe(false);
    expect(token('PutItem', jwksKey('DSNP'))).toBe(false);
    expect(token('PutItem', subscriptionKeyKey('DSNP', 'aa'))).toBe(false);
    expect(token('GetItem', jwksKey('DSNP'))).toBe(true);
    expect(token('PutItem', usedAssertionKey('DSNP', 'aa'))).toBe(true);
    expect(token('PutItem', usedAssertionKey('M2M', 'aa'))).toBe(false);
  });

  it('let the machine token endpoint remember assertions, and change or read nothing else', () => {
    const machine = (action: string, key: Key) =>
      may('sandbox/Authorization', 'FunctionsMachineTokenPolicy', action, key);
    expect(machine('PutItem', usedAssertionKey('M2M', 'aa'))).toBe(true);
    expect(machine('DeleteItem', usedAssertionKey('M2M', 'aa'))).toBe(false);
    expect(machine('PutItem', usedAssertionKey('DSNP', 'aa'))).toBe(false);
    expect(machine('PutItem', refreshFamilyKey('DSNP', 'f'))).toBe(false);
    expect(machine('GetItem', dsnpPatient)).toBe(false);
  });

  it('let the token endpoints count their own requests, and the machine one nothing else', () => {
    const machine = (action: string, key: Key) =>
      may('sandbox/Authorization', 'FunctionsMachineTokenPolicy', action, key);
    expect(machine('UpdateItem', rateKey('M2M', 'token-client', 'aa', '0'))).toBe(true);
    expect(machine('UpdateItem', rateKey('DSNP', 'token-client', 'aa', '0'))).toBe(false);
    expect(machine('UpdateItem', jwksKey('M2M'))).toBe(false);
    expect(
      may('sandbox/Authorization', 'FunctionsTokenPolicy', 'UpdateItem', rateKey('DSNP', 'x', 'aa', '0')),
    ).toBe(true);
  });

  it('let UserInfo count its requests, and change nothing else', () => {
    const userinfo = (action: string, key: Key) =>
      may('sandbox/Authorization', 'FunctionsUserinfoPolicy', action, key);
    expect(userinfo('UpdateItem', rateKey('DSNP', 'userinfo', 'aa', '0'))).toBe(true);
    expect(userinfo('UpdateItem', rateKey('M2M', 'userinfo', 'aa', '0'))).toBe(false);
    expect(userinfo('UpdateItem', grantKey('DSNP', 'p1', 'g'))).toBe(false);
    expect(userinfo('UpdateItem', dsnpAudit)).toBe(false);
  });

  it('let the token endpoints write down the use of a secret, and provisioning alone read it', () => {
    const of = (policy: string, action: string, key: Key) =>
      may(
        policy.startsWith('Functions') ? 'sandbox/Authorization' : 'sandbox/Subscriptions',
        policy,
        action,
        key,
      );
    for (const [policy, own, foreign] of [
      ['FunctionsTokenPolicy', 'DSNP', 'M2M'],
      ['FunctionsMachineTokenPolicy', 'M2M', 'DSNP'],
    ] as const) {
      expect(of(policy, 'PutItem', secretUseKey(own, 'aa'))).toBe(true);
      expect(of(policy, 'PutItem', secretUseKey(foreign, 'aa'))).toBe(false);
      expect(of(policy, 'GetItem', secretUseKey(own, 'aa'))).toBe(false);
      expect(of('ProvisioningPolicy', 'BatchGetItem', secretUseKey(own, 'aa'))).toBe(true);
      expect(of('ProvisioningPolicy', 'PutItem', secretUseKey(own, 'aa'))).toBe(false);
    }
  });

  it('let provisioning alone register a client, and keep it off members', () => {
    const provisioning = (action: string, key: Key) =>
      may('sandbox/Subscriptions', 'ProvisioningPolicy', action, key);
    for (const key of [
      clientKey('c'),
      subscriptionKeyKey('M2M', 'aa'),
      applicationKey('DSNP', 'c'),
      provisioningRequestKey('r'),
    ]) {
      expect(provisioning('PutItem', key)).toBe(true);
    }
    expect(provisioning('GetItem', dsnpPatient)).toBe(false);
    expect(provisioning('GetItem', memberKey('DSNP', 's'))).toBe(false);
  });

  it('let the key rotation alone publish keys', () => {
    const writers = [...templates.keys()].flatMap((stack) =>
      tableStatements(stack)
        .filter(([, statement]) => actionsOf(statement).includes('dynamodb:PutItem'))
        .filter(([, statement]) => patterns(statement).some((each) => matches(each, jwksKey('DSNP').pk)))
        .map(([policy]) => policy.replace(/Policy.*/, '')),
    );
    expect(writers).toEqual(['SigningKeyRotation', 'SigningKeyRotation']);
  });
});

describe('a role', () => {
  it('belongs to one function', () => {
    for (const [stack, each] of templates) {
      const roles = resources(each, 'AWS::Lambda::Function').map(({ Properties: { Role } }) =>
        JSON.stringify(Role),
      );
      expect(new Set(roles).size, stack).toBe(roles.length);
    }
  });
});
