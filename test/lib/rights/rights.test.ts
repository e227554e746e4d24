import { beforeAll, describe, expect, it } from 'vitest';
import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  linesOfBusiness,
} from '../../../lambdas/catalog/lines-of-business.ts';
import { partRights, type RoleName, type RoleRights, rights } from '../../../lib/rights/rights.ts';
import { configuredApp } from '../configured-app.ts';
import { resources, synthesizeApp, type Template } from '../synthesized-app.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Policies whose names differ from those of their rows. */
const otherNames: Readonly<Record<string, RoleName>> = {
  loads: 'load-machine',
  'loads-rule': 'load-rule',
  jobs: 'job-machine',
  'audit-files-replication': 'audit-replication',
};

/** Names of resources in the table of rights, by the text of their ARN (`textOf`). The pattern's group is the part of the resource. */
const resourceNames: readonly (readonly [arn: RegExp, name: string])[] = [
  [/^\{TableArn\}$/, 'table'],
  [/^\{TableArn\}\/index\/audit-window$/, 'auditWindows'],
  [/^\{MembersPoolArn\}$/, 'memberPool'],
  [/^\{DevelopersPoolArn\}$/, 'developerPool'],
  [/^\{Signing([A-Z0-9]+)\}$/, 'signingSecrets'],
  [/^\{FederationClientSecret\w+\}$/, 'providerSecrets'],
  [/^\{BotCheckSecret\}$/, 'botCheckSecret'],
  [/^arn:aws:secretsmanager:.*:secret:recaptcha-\w+$/, 'recaptchaSecret'],
  [/^\{DirectoryKeys\}$/, 'directoryKeys'],
  [/^\{ContactKeyArn\}$/, 'contactKey'],
  [/^\{CredentialKeyArn\}$/, 'credentialKey'],
  [/^\{PayerCredentialKeyArn\}$/, 'payerCredentialKey'],
  [/^\{(?:Functions)?MessagesCodeDigestKeyArn\}$/, 'codeDigestKey'],
  [/^\{AuditSigningKey\d*Arn\}$/, 'auditSigningKeys'],
  [/^\{IngestBucketArn\}(?:\/(.*))?$/, 'ingestBucket'],
  [/^\{FilesBucketArn\}(?:\/(.*))?$/, 'jobBucket'],
  [/^\{PublicationsBucketArn\}(?:\/(.*))?$/, 'publicationBucket'],
  [/^arn:aws:ses:[\w-]+:\d+:identity\/\*$/, 'mail'],
  [/^\*$/, 'texts'],
  [/^\{(?:Functions)?(\w+)FunctionArn\}$/, 'functions'],
  [/^arn:aws:lambda:.*:function:member-data-(?:sandbox|production)-(.*)$/, 'environmentFunctions'],
  [/^\{LoadsMachineArn\}$/, 'loadMachine'],
  [/^arn:aws:states:.*:execution:\{LoadsMachineName\}:\*$/, 'loadExecutions'],
  [/^\{FunctionsJobsMachineArn\}$/, 'jobMachines'],
  [/^arn:aws:states:.*:stateMachine:member-data-\w+-jobs-(\w+)$/, 'jobMachines'],
  [/^arn:aws:states:.*:stateMachine:member-data-\w+-exchange$/, 'exchangeMachine'],
  [/^arn:aws:states:.*:execution:member-data-\w+-jobs-(\w+):\*$/, 'jobExecutions'],
  [/^arn:aws:logs:.*:log-group:\{AuditHeads\}:log-stream:\{AuditHeadsStream\}$/, 'auditHeadStream'],
  [/^\{AuditHeadsArn\}$/, 'auditHeads'],
  [/^\{AuditFilesBucketArn\}(?:\/(.*))?$/, 'auditArchive'],
  [/^arn:aws:s3:::plan-audit-copy\/(.*)$/, 'auditCopy'],
  [/^\{(?:Token)?ApiAccessLogArn\}$/, 'callLogs'],
  [/^\{Functions(?:Authorize|Token|MachineToken)LogArn\}$/, 'callLogs'],
  [/^arn:aws:apigateway:[\w-]+::(\/apikeys.*)$/, 'apiKeys'],
  [/^arn:aws:apigateway:[\w-]+::\/tags\/.*%2Fapikeys%2F\*$/, 'apiKeyTags'],
  [/^arn:aws:apigateway:[\w-]+::\/usageplans\/\{\w+Plan\}\/(.*)$/, 'usagePlans'],
];

/** For each key the service that uses it on a caller's behalf, and the resources it encrypts. */
const keys: Readonly<Record<string, readonly [service: string, encrypted: readonly string[]]>> = {
  '{TableKeyArn}': ['dynamodb', ['table', 'auditWindows', 'itemKeys', 'portalTable']],
  '{SecretsKeyArn}': [
    'secretsmanager',
    ['signingSecrets', 'providerSecrets', 'botCheckSecret', 'directoryKeys'],
  ],
  '{IngestKeyArn}': ['s3', ['ingestBucket']],
  '{JobKeyArn}': ['s3', ['jobBucket']],
};

/** A template value as text. A reference, also to another stack, becomes the name of its target, such as `{TableArn}`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[kind, argument] = ['', '']] = Object.entries(value as object);
  if (kind === 'Fn::Join') return (argument as [string, unknown[]])[1].map(textOf).join('');
  const name = [argument].flat().join('');
  const exported = /:ExportsOutput(?:Ref|FnGetAtt)(\w+)[0-9A-F]{8}$/.exec(name)?.[1] ?? name;
  return `{${exported.replace(/[0-9A-F]{8}(?=(Arn|Name)?$)/, '')}}`;
}

const kebab = (id: string) => id.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase();
const actionsOf = ({ Action }: Statement) => [Action].flat() as string[];
const isViaService = ({ Condition }: Statement) => Condition?.StringEquals?.['kms:ViaService'] !== undefined;

/** The rights of a statement in the form of the table of rights: `table DSNP#KEY#* GetItem`. */
function allowedBy(stack: string, statement: Statement): string[] {
  const { Resource, Condition = {} } = statement;
  return [Resource].flat().flatMap((arn) => {
    const text = textOf(arn);
    const [pattern, found] = resourceNames.find(([each]) => each.test(text)) ?? [];
    const name = narrowed(found ?? text, stack, Condition);
    const [, part = ''] = pattern?.exec(text) ?? [];
    const parts = (Condition['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] as string[]) ?? [
      { functions: kebab(part), taggedApiKeys: '', jobMachines: part || stack.replace(/^.*Lob/, '') }[name] ??
        part,
    ];
    return parts.flatMap((each) =>
      actionsOf(statement).map((action) => `${name} ${each} ${action.replace(/^[\w-]+:/, '')}`),
    );
  });
}

/** The name of a resource that a condition narrows to less than its ARN. */
function narrowed(name: string, stack: string, condition: object): string {
  if (name === 'table' && 'ForAllValues:StringEquals' in condition) return 'itemKeys';
  if (name === 'table' && stack.startsWith('portal/')) return 'portalTable';
  if (name === 'apiKeys' && 'StringEquals' in condition) return 'taggedApiKeys';
  return name;
}

/** The rights of a row with its placeholders replaced. */
function allowedIn(row: RoleRights, names: Readonly<Record<string, readonly string[]>>): string[] {
  return partRights(row).flatMap(({ on, part, actions }) => {
    const [placeholder] = /<[^>]+>/.exec(part) ?? [];
    const values = placeholder === undefined ? [''] : (names[placeholder] ?? []);
    const parts = values.map((value) => part.replace(placeholder ?? '', value));
    return parts.flatMap((each) => actions.map((action) => `${on} ${each} ${action}`));
  });
}

interface Held {
  readonly stack: string;
  readonly row: RoleName;
  readonly statements: readonly Statement[];
}

/** The statements of each function, state machine and rule. */
function heldIn(templates: ReadonlyMap<string, Template>): Held[] {
  const policies = [...templates].flatMap(([stack, { Resources }]) =>
    Object.entries(Resources)
      // test/lib/constructs/gradual-release.test.ts checks the rights of CodeDeploy.
      .filter(([id, { Type }]) => Type === 'AWS::IAM::ManagedPolicy' && !id.startsWith('FunctionsRelease'))
      .map(([id, { Properties: properties }]) => {
        const name = kebab(
          id
            .replace(/^(Functions|Signing)/, '')
            .replace(/^Uploader[A-Z]+(?=Policy)/, 'Uploader')
            .replace(/(Table|Logging)?Policy[0-9A-F]{8}$/, ''),
        );
        const { Statement: statements } = properties.PolicyDocument as { readonly Statement: Statement[] };
        return { stack, row: otherNames[name] ?? (name as RoleName), statements };
      }),
  );
  return [...Map.groupBy(policies, ({ stack, row }) => `${stack} ${row}`).values()].map((same) => ({
    ...(same[0] as Held),
    statements: same.flatMap(({ statements }) => statements),
  }));
}

/** Whether a statement is about the function's own log, or a state machine's traces, which the table of rights does not list. */
function isOwnLog({ row }: Held, statement: Statement): boolean {
  const text = textOf(statement.Resource);
  if (/-machine$/.test(row) && text === '*')
    return actionsOf(statement).every((each) => /^(logs|xray):/.test(each));
  const [, owner = ''] = /^\{(?:Functions|Signing)?(\w+)LogArn\}$/.exec(text) ?? [];
  return kebab(owner) === row && actionsOf(statement).join() === 'logs:CreateLogStream,logs:PutLogEvents';
}

const withDirectory = lineOfBusinessCodes.filter((lob) => linesOfBusiness[lob].providerDirectory);
const issuers = [...lineOfBusinessCodes, 'M2M'];
const namesIn = (stack: string, federated: boolean) => ({
  '<lob>': [stack.replace(/^.*\/Lob/, '') as LineOfBusiness],
  '<each lob>': lineOfBusinessCodes,
  '<any lob>': lineOfBusinessCodes,
  '<directory lob>': withDirectory,
  '<issuer>': issuers,
  '<key owner>': [...issuers, 'PAYERS', ...(federated ? ['FEDERATION'] : [])],
  '<signing client>': ['FEDERATION'],
});

let deployed: ReadonlyMap<string, Template>;
let configured: ReadonlyMap<string, Template>;
beforeAll(() => {
  deployed = synthesizeApp();
  // The key is required here, since the token host has an authorizer only then.
  configured = configuredApp({ subscriptionKey: 'required' }).templates;
});

describe('the table of rights', () => {
  it('has a row for each role, and a role for each row', () => {
    const held = [deployed, configured].flatMap(heldIn);
    expect([...new Set(held.map(({ row }) => row))].sort()).toEqual(Object.keys(rights).sort());
  });

  it.each([
    'as deployed',
    'with all that can be configured',
  ])('is what every role may do, no more and no less: %s', (app) => {
    const federated = app !== 'as deployed';
    for (const held of heldIn(federated ? configured : deployed)) {
      const { stack, row, statements } = held;
      const allowed = statements
        .filter((each) => each.Effect === 'Allow' && !isViaService(each) && !isOwnLog(held, each))
        .flatMap((each) => allowedBy(stack, each));
      const written = allowedIn(rights[row], namesIn(stack, federated));
      const expected = written.filter((each) => federated || !each.startsWith('recaptchaSecret'));
      expect([...new Set(allowed)].sort(), `${stack} ${row}`).toEqual([...new Set(expected)].sort());
    }
  });

  it('gives the use of a key by what it encrypts, through the service only: writing to who writes', () => {
    for (const { stack, row, statements } of [deployed, configured].flatMap(heldIn)) {
      const allowed = statements.filter(isViaService).flatMap((each) => {
        const via = String(each.Condition?.StringEquals?.['kms:ViaService']).replace(/\..*/, '');
        return [each.Resource].flat().map((on) => `${textOf(on)} ${via} ${actionsOf(each).join(' ')}`);
      });
      const written = allowedIn(rights[row], namesIn(stack, true));
      const expected = Object.entries(keys).flatMap(([key, [service, encrypted]]) => {
        const there = written.filter((each) => encrypted.includes(each.replace(/ .*/, '')));
        const writes = there.some((each) => / Put\w+$/.test(each));
        if (!there.some((each) => service === 'dynamodb' || / (Put|Get)\w+$/.test(each))) return [];
        const more = service === 'dynamodb' ? ' kms:DescribeKey kms:Encrypt' : '';
        return [`${key} ${service} kms:Decrypt${more}${more || writes ? ' kms:GenerateDataKey' : ''}`];
      });
      // An uploader has a policy for each line of business.
      expect([...new Set(allowed)].sort(), `${stack} ${row}`).toEqual(expected.sort());
    }
  });

  it('denies what a right without a resource leaves open', () => {
    for (const { stack, row, statements } of [deployed, configured].flatMap(heldIn)) {
      const denied = statements.filter(({ Effect }) => Effect === 'Deny');
      const expected = [
        ...('texts' in rights[row] ? ['sns:Publish'] : []),
        ...('apiKeyTags' in rights[row] ? ['ResourceTag', 'RequestTag'] : []),
      ];
      const found = denied.map(
        (each) => /aws:(\w+Tag)/.exec(JSON.stringify(each.Condition ?? ''))?.[1] ?? actionsOf(each).join(),
      );
      expect(found, `${stack} ${row}`).toEqual(expected);
    }
  });

  it('is all there is: no role has another policy, but CDK’s own and those for API Gateway’s log and for backups', () => {
    for (const [stack, template] of [...deployed, ...configured]) {
      const inline = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::IAM::Policy');
      for (const [id] of inline) expect(id, stack).toMatch(/^CustomCDKBucketDeployment/);
      for (const { Properties } of resources(template, 'AWS::IAM::Role')) {
        expect(Properties.Policies, stack).toBeUndefined();
        const { ManagedPolicyArns: given = [] } = Properties;
        expect(JSON.stringify(given), stack).toMatch(
          /^\[\]$|service-role\/(AmazonAPIGatewayPushToCloudWatchLogs|AWSLambdaBasicExecutionRole|AWSBackupServiceRolePolicyForBackup)"/,
        );
      }
    }
  });
});
