import { beforeAll, describe, expect, it } from 'vitest';
import type { Key } from '../../../lambdas/platform/table/key.ts';
import * as keys from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import type { Template } from '../synthesized-app.ts';
import { type PortalTemplates, synthesizePortal } from './synthesized-portal.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: {
    readonly 'ForAllValues:StringLike'?: { readonly 'dynamodb:LeadingKeys': readonly string[] };
  };
}

let templates: PortalTemplates;
let policies: ReadonlyMap<string, readonly Statement[]>;
beforeAll(() => {
  templates = synthesizePortal();
  policies = new Map([...policiesOf(templates.data), ...policiesOf(templates.site)]);
});

/** The statements of each function, by its ID in PascalCase. Statements on items are in a separate policy, which is included. */
function policiesOf(template: Template): [string, readonly Statement[]][] {
  const held = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::ManagedPolicy')
    .map(([id, { Properties: properties }]) => {
      const { Statement: statements } = properties.PolicyDocument as {
        readonly Statement: readonly Statement[];
      };
      return { name: id.replace(/^Functions/, '').replace(/(Table)?Policy.*/, ''), statements };
    });
  return [...Map.groupBy(held, ({ name }) => name)].map(([name, all]) => [
    name,
    all.flatMap(({ statements }) => statements),
  ]);
}

const actionsOf = ({ Action }: Statement): readonly string[] => [Action].flat();
const patternsOf = ({ Condition }: Statement): readonly string[] =>
  Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [];
const matches = (pattern: string, pk: string) =>
  pattern.endsWith('*') ? pk.startsWith(pattern.slice(0, -1)) : pk === pattern;

/** Names of the functions that may do the action on the item. */
function holders(action: string, { pk }: Key): string[] {
  return [...policies]
    .filter(([, statements]) =>
      statements.some(
        (statement) =>
          actionsOf(statement).includes(action) && patternsOf(statement).some((one) => matches(one, pk)),
      ),
    )
    .map(([name]) => name)
    .sort();
}

const holdersOf = (action: string) =>
  [...policies]
    .filter(([, statements]) => statements.some((each) => actionsOf(each).includes(action)))
    .map(([name]) => name)
    .sort();

/** All functions except that of the page "Find a doctor", which reads no data of the portal. */
const stateful = [
  'ApplicationOperations',
  'PortalAccounts',
  'PortalApplications',
  'PortalOperations',
  'PortalOutboxWorker',
];

describe('the rights of the portal’s functions', () => {
  it('belong to seven functions, each with a policy of its own', () => {
    expect([...policies.keys()].sort()).toEqual([...stateful, 'OperatorRecord', 'PortalDirectory'].sort());
  });

  it('name every partition of the table they reach, and every action', () => {
    for (const [name, statements] of policies) {
      for (const statement of statements) {
        const actions = actionsOf(statement);
        expect(actions.join(' '), name).not.toMatch(/\*|Scan/);
        if (!actions.some((action) => action.startsWith('dynamodb:'))) continue;
        expect(patternsOf(statement), name).not.toEqual([]);
        expect(patternsOf(statement), name).not.toContain('*');
      }
    }
  });

  it('name every resource, but for texts to phones', () => {
    for (const [name, statements] of policies) {
      const everything = statements.filter(({ Resource, Effect }) => Resource === '*' && Effect === 'Allow');
      expect(everything.flatMap(actionsOf), name).toEqual(everything.length === 0 ? [] : ['sns:Publish']);
    }
  });

  it('keep applications from who serves accounts, and passwords from who doesn’t', () => {
    expect(holders('dynamodb:PutItem', keys.portalApplicationKey('a'))).not.toContain('PortalAccounts');
    // The operators' command line creates operators and sets their first password.
    const makers = ['ApplicationOperations', 'PortalAccounts'];
    expect(holdersOf('cognito-idp:AdminSetUserPassword')).toEqual(makers);
    expect(holdersOf('cognito-idp:AdminCreateUser')).toEqual(makers);
  });

  it('let only the command line say who is an operator', () => {
    expect(holdersOf('cognito-idp:AdminAddUserToGroup')).toEqual(['ApplicationOperations']);
    expect(holdersOf('cognito-idp:AdminRemoveUserFromGroup')).toEqual(['ApplicationOperations']);
  });

  it('let who serves accounts write what operators read, and read it not', () => {
    for (const key of [keys.queueKey('account', 't', 'a'), keys.stateListKey('ACCOUNT', 'active', 'a')]) {
      expect(holders('dynamodb:PutItem', key)).toContain('PortalAccounts');
      expect(holders('dynamodb:Query', key)).toEqual(['ApplicationOperations', 'PortalOperations']);
    }
    const answered = keys.usedBotCheckKey('aa');
    expect(holders('dynamodb:PutItem', answered)).toEqual(['PortalAccounts']);
    expect(holders('dynamodb:DeleteItem', answered)).toEqual([]);
  });

  it('let operators see a session and keep it awake, and begin none', () => {
    const session = keys.portalSessionKey('aa');
    const developers = ['PortalAccounts', 'PortalApplications'];
    expect(holders('dynamodb:PutItem', session)).toEqual(developers);
    expect(holders('dynamodb:DeleteItem', session)).toEqual(developers);
    expect(holders('dynamodb:UpdateItem', session)).toEqual([...developers, 'PortalOperations']);
    expect(holders('dynamodb:GetItem', session)).toEqual([...developers, 'PortalOperations']);
  });

  it('let an address or user name be claimed by accounts, and let go by operators', () => {
    const writers = ['ApplicationOperations', 'PortalAccounts', 'PortalOperations'];
    expect(holders('dynamodb:PutItem', keys.emailKey('aa'))).toEqual(writers);
    expect(holders('dynamodb:DeleteItem', keys.usernameKey('ada'))).toEqual(writers);
  });

  it('send texts and make the digests of codes for accounts only, mails for all', () => {
    expect(holdersOf('sns:Publish')).toEqual(['PortalAccounts']);
    expect(holdersOf('kms:GenerateMac')).toEqual(['PortalAccounts']);
    expect(holdersOf('ses:SendEmail')).toEqual(stateful);
  });

  it('let only the command line publish test members', () => {
    expect(holders('dynamodb:PutItem', keys.testMembersKey('DSNP'))).toEqual(['ApplicationOperations']);
    expect(holders('dynamodb:Query', keys.testMembersKey('DSNP'))).toEqual([
      'ApplicationOperations',
      'PortalApplications',
    ]);
  });

  it('let every function carry out what was decided', () => {
    expect(holders('dynamodb:DeleteItem', keys.outboxKey('t', 'i'))).toEqual(stateful);
  });

  it('reach an environment by the names of four functions, three of them for operators only, and in no other way', () => {
    expect(holdersOf('lambda:InvokeFunction')).toEqual(stateful.filter((name) => name !== 'PortalAccounts'));
    const invoked = (name: string) => [
      `arn:aws:lambda:us-east-1:111122223333:function:member-data-sandbox-${name}`,
      `arn:aws:lambda:us-east-1:444455556666:function:member-data-production-${name}`,
    ];
    for (const [name, statements] of policies) {
      const mayInvoke = statements
        .filter((each) => actionsOf(each).includes('lambda:InvokeFunction'))
        .flatMap(({ Resource }) => Resource);
      const ofOperators =
        name === 'PortalOperations'
          ? ['directory-operations', 'job-operations', 'load-operations'].flatMap(invoked)
          : [];
      const provisioning = mayInvoke.length === 0 ? [] : invoked('provisioning');
      expect(mayInvoke.sort(), name).toEqual([...ofOperators, ...provisioning].sort());
    }
  });

  it('let operators find an application by its client, and nobody replace what a client was given to', () => {
    const client = keys.clientApplicationKey('sandbox', 'c');
    expect(holders('dynamodb:BatchGetItem', client)).toEqual(['PortalOperations']);
    const writers = stateful.filter((name) => name !== 'PortalAccounts');
    expect(holders('dynamodb:PutItem', client)).toEqual(writers);
    for (const action of ['UpdateItem', 'DeleteItem'])
      expect(holders(`dynamodb:${action}`, client)).toEqual([]);
  });

  it('give the secret of the bot check to who checks, and the keys of the directory to its page', () => {
    expect(holdersOf('secretsmanager:GetSecretValue')).toEqual(['PortalAccounts', 'PortalDirectory']);
    const directory = policies.get('PortalDirectory') ?? [];
    expect(JSON.stringify(directory)).not.toMatch(/cognito|lambda|BotCheck/);
    // "Find a doctor" counts the searches of each IP address in the table and may not read items.
    const onTable = directory.filter((each) =>
      actionsOf(each).some((action) => action.startsWith('dynamodb:')),
    );
    expect(onTable.map((each) => [actionsOf(each), patternsOf(each)])).toEqual([
      [['dynamodb:UpdateItem'], ['RATE#*']],
      [['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'], ['STATUS#*']],
    ]);
    const secretArn = 'arn:aws:secretsmanager:us-east-1:777788889999:secret:recaptcha-AbCdEf';
    const { site } = synthesizePortal({ recaptcha: { siteKey: 'key', secretArn } });
    const [, statements = []] = policiesOf(site).find(([name]) => name === 'PortalAccounts') ?? [];
    expect(JSON.stringify(statements)).toContain(secretArn);
  });
});
