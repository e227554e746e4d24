import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentVariables } from '../../lambdas/catalog/environment-variables.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { readEnvironment } from '../../lambdas/platform/runtime/environment.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { type ConfiguredApp, configuredApp } from './configured-app.ts';
import {
  methods,
  ownFunctions,
  type Resource,
  resources,
  synthesizeApp,
  type Template,
  template,
} from './synthesized-app.ts';

let app: ConfiguredApp;
/** The lines of business of `fewer`, a configuration that gives up the others. Two of them synthesize in a third of the time. */
const left: readonly string[] = ['DSNP', 'MAPD'];
const givenUp = lineOfBusinessCodes.filter((lob) => !left.includes(lob)).sort();
let fewer: ConfiguredApp;
beforeAll(() => {
  app = configuredApp();
  fewer = configuredApp({ linesOfBusiness: lineOfBusinessCodes.filter((lob) => left.includes(lob)) });
});

const ofType = (type: string) =>
  [...app.templates].flatMap(([stack, each]) =>
    Object.entries(each.Resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties: properties }]) => [`${stack} ${id}`, properties] as const),
  );

/** The longest value that a reference can have: an ARN with a name of 64 characters. */
const longest = 'x'.repeat(135);

/** Replaces every reference in a value by the longest text it can become. */
function atItsLongest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(atItsLongest);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = ['', undefined], ...more] = Object.entries(value);
  if (more.length === 0 && name === 'Fn::Join') {
    const [by, parts] = argument as readonly [string, readonly unknown[]];
    return parts.map(atItsLongest).join(by);
  }
  if (more.length === 0 && /^(Ref|Fn::(GetAtt|ImportValue|Select))$/.test(name)) {
    return String(argument).startsWith('AWS::') ? 'ap-southeast-2' : longest;
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, atItsLongest(each)]));
}

/** The name of every function and the file of its handler. */
const handlers = globSync('lambdas/**/*.handler.ts', { cwd: repositoryRoot }).map(
  (path) => [basename(path, '.handler.ts'), join(repositoryRoot, path)] as const,
);

/** Environment variables that a handler reads by `readEnvironment([…])` or `readEnvironment(list)`. */
function variablesReadBy(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const [, list, listName] = /readEnvironment\(\s*(?:\[([^\]]*)\]|(\w+))/.exec(source) ?? [];
  const literal = list ?? listNamed(listName ?? '', path, source);
  if (literal === undefined)
    throw new Error('the handler reads its environment in a way this test does not know');
  const names = new Map<string, string>(Object.entries(environmentVariables));
  return [...literal.matchAll(/'(\w+)'/g)].map(([, name = '']) => names.get(name) ?? name);
}

/** The elements of a list, from the file that the handler imports it from. */
function listNamed(name: string, path: string, source: string): string | undefined {
  const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(source)?.[1];
  if (name === '' || from === undefined) return undefined;
  const file = readFileSync(join(dirname(path), from), 'utf8');
  return new RegExp(`export const ${name} = \\[([^\\]]*)\\]`).exec(file)?.[1];
}

describe('the templates, with all that can be configured', () => {
  it('are right by the schema of every resource', () => {
    // This finding is accepted: S3's server access logs and CloudFront's logs are delivered by an ACL (lib/portal/site-bucket.ts).
    const known = /^W3045 FilesLogs\w+: AccessControl: /;
    expect(app.violations.filter((violation) => !known.test(violation))).toEqual([]);
  });

  it('leave to each stack a tenth of the 500 resources it may have, and half of a megabyte', () => {
    for (const [stack, each] of app.templates) {
      expect(Object.keys(each.Resources).length, stack).toBeLessThanOrEqual(450);
      expect(JSON.stringify(each).length, stack).toBeLessThan(500_000);
      expect(Object.keys(each.Outputs ?? {}).length, stack).toBeLessThan(100);
    }
  });

  // Quota: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  it('hold policies of 6,144 characters at most', () => {
    expect(ofType('AWS::IAM::ManagedPolicy').length).toBeGreaterThan(30);
    for (const [name, { PolicyDocument }] of ofType('AWS::IAM::ManagedPolicy')) {
      expect(JSON.stringify(atItsLongest(PolicyDocument)).length, name).toBeLessThanOrEqual(6_144);
    }
  });

  // Quota: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  it('give functions no more than 4 KB of variables', () => {
    for (const [name, { Environment }] of ofType('AWS::Lambda::Function')) {
      const { Variables = {} } = (Environment ?? {}) as {
        readonly Variables?: Readonly<Record<string, unknown>>;
      };
      const length = Object.entries(Variables).reduce(
        (sum, [variable, value]) => sum + variable.length + String(atItsLongest(value)).length,
        0,
      );
      expect(length, name).toBeLessThanOrEqual(4_096);
    }
  });

  // Quota: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
  it('keep functions at the edge under 10 KB', () => {
    for (const [name, { FunctionCode }] of ofType('AWS::CloudFront::Function')) {
      expect(String(FunctionCode).length, name).toBeLessThan(10_240);
    }
  });

  // Quota: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
  it('give an API no more than 300 resources and 10 authorizers', () => {
    for (const [stack, each] of app.templates) {
      expect(resources(each, 'AWS::ApiGateway::Resource').length, stack).toBeLessThan(300);
      expect(resources(each, 'AWS::ApiGateway::Authorizer').length, stack).toBeLessThan(10);
    }
  });

  it('say of each resource whose it is', () => {
    for (const type of [
      'AWS::ApiGateway::RestApi',
      'AWS::KMS::Key',
      'AWS::Lambda::Function',
      'AWS::Logs::LogGroup',
    ]) {
      for (const [name, { Tags }] of ofType(type)) {
        const [stage] = name.split('/');
        expect(Tags, name).toContainEqual({ Key: 'member-data:stage', Value: stage });
      }
    }
  });

  it('rotate a secret only when Secrets Manager may call the function', () => {
    const data = template(app.templates, 'sandbox/Data');
    const schedules = resources(data, 'AWS::SecretsManager::RotationSchedule');
    expect(schedules.length).toBeGreaterThan(0);
    for (const schedule of schedules) {
      const { DependsOn = [] } = schedule as Resource & { readonly DependsOn?: readonly string[] };
      expect(DependsOn.map((id) => data.Resources[id]?.Type)).toContain('AWS::Lambda::Permission');
    }
  });
});

describe('a function', () => {
  it.each(handlers)('is given every variable its handler reads: %s', (name, path) => {
    const pascalCase = name.replace(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase());
    const logicalId = new RegExp(`^(Functions|Signing)?${pascalCase}Function[0-9A-F]{8}$`);
    // The token host has an authorizer only if the key is required, as in the repository's configuration.
    const { templates } = name === 'machine-authorizer' ? { templates: synthesizeApp() } : app;
    const made = [...templates.values()].flatMap((each) =>
      Object.entries(each.Resources).filter(
        ([id, { Type }]) => Type === 'AWS::Lambda::Function' && logicalId.test(id),
      ),
    );
    expect(made.length).toBeGreaterThan(0);
    const read = variablesReadBy(path);
    for (const [, { Properties: properties }] of made) {
      const { Variables } = properties.Environment as { readonly Variables: Record<string, unknown> };
      expect(Object.keys(Variables)).toEqual(expect.arrayContaining(read));
    }
  });

  it('is given values that handlers can read', () => {
    const names = Object.keys(environmentVariables) as (keyof typeof environmentVariables)[];
    for (const { Properties: properties } of [...synthesizeApp().values()].flatMap(ownFunctions)) {
      const { Variables } = properties.Environment as { readonly Variables: Record<string, unknown> };
      const given = names.filter((name) => environmentVariables[name] in Variables);
      const values = atItsLongest(Variables) as Record<string, string>;
      expect(Object.keys(readEnvironment(given, values))).toEqual(given);
    }
  });
});

describe('a line of business', () => {
  it.each([
    ['optional', 'method.request.header.Authorization'],
    ['required', 'method.request.header.x-api-subscription-key,method.request.header.Authorization'],
  ])('asks for the key where it is %s, and tells the authorizer', (subscriptionKey, headers) => {
    const templates = subscriptionKey === 'optional' ? app.templates : synthesizeApp();
    const stack = template(templates, 'sandbox/LobDSNP');
    const [authorizer] = resources(stack, 'AWS::ApiGateway::Authorizer');
    expect(authorizer?.Properties.IdentitySource).toBe(headers);
    const told = resources(stack, 'AWS::Lambda::Function')
      .map(({ Properties: { Environment } }) => (Environment as { Variables: object }).Variables)
      .flatMap((variables) => ('SUBSCRIPTION_KEY' in variables ? [variables.SUBSCRIPTION_KEY] : []));
    // The setting is given to the authorizer, which decides by it, and to the three interfaces, whose metadata state it.
    expect(told).toEqual(Array(4).fill(subscriptionKey));
    for (const method of methods(stack)) expect(method.apiKeyRequired).toBe(method.authorizer !== undefined);
  });

  it('has a public directory where it is configured: its authorizer is asked about every call, and one key meters those without', () => {
    for (const [templates, ttl, keys] of [
      [app.templates, [0], ['provider-directory-without-key-sandbox']],
      [synthesizeApp(), [], []],
    ] as const) {
      const open = resources(template(templates, 'sandbox/LobDSNP'), 'AWS::ApiGateway::Authorizer').filter(
        ({ Properties: { IdentitySource = '' } }) => IdentitySource === '',
      );
      expect(open.map(({ Properties }) => Properties.AuthorizerResultTtlInSeconds)).toEqual(ttl);
      const made = resources(template(templates, 'sandbox/Subscriptions'), 'AWS::ApiGateway::ApiKey');
      expect(made.map(({ Properties: { Value } }) => Value)).toEqual(keys);
    }
  });
});

describe('what outlives its stack', () => {
  const retained = (of: Template) =>
    Object.entries(of.Resources)
      .filter(
        ([, resource]) => (resource as { readonly DeletionPolicy?: string }).DeletionPolicy === 'Retain',
      )
      .map(([id]) => id)
      .sort();

  // With another logical ID CloudFormation would create a new resource and leave the old one behind with its data.
  it('keeps the id CloudFormation knows it by', () => {
    expect(retained(template(app.templates, 'sandbox/Data'))).toEqual([
      'AuditFilesBucket3A3B002B',
      'AuditFilesLogsF4966271',
      'AuditHeads7A106801',
      'AuditHeadsStreamC1277ECD',
      'AuditSigningKey25E82B340',
      'AuditSigningKeyE35DDF59',
      'ContactKey397FFA9E',
      'CredentialKey3ED2591C',
      'FederationClientSecretDSNP2D1E7226',
      'GatewayAccount',
      'GatewayLogRole36452DF1',
      'LogKeyE83D0C1B',
      'MembersPool35627769',
      'SecretsKey317DCF94',
      'SigningCHPDCFF102227',
      'SigningCHPMD21790886',
      'SigningDSNP4A35B946',
      'SigningEGWPD8190E5E',
      'SigningFEDERATION61125DFB',
      'SigningM2M96B7F314',
      'SigningMAPD321B5FE2',
      'SigningMHBEDDC8787C',
      'SigningPAYERS7825AE34',
      'TableCD117FA1',
      'TableKeyF581D96F',
    ]);
    expect(retained(template(app.templates, 'portal/Data'))).toEqual([
      'DevelopersPoolCAE1C756',
      'GatewayAccount',
      'GatewayLogRole36452DF1',
      'LogKeyE83D0C1B',
      'SecretsKey317DCF94',
      'TableCD117FA1',
      'TableKeyF581D96F',
    ]);
    expect(retained(template(app.templates, 'portal/Site'))).toEqual([
      'FilesLogsFFA73081',
      'FilesPages417D4338',
    ]);
  });

  it.each([
    'sandbox/Data',
    'portal/Data',
  ])('keeps what only a new table or pool could change: %s', (stack) => {
    const [table] = resources(template(app.templates, stack), 'AWS::DynamoDB::GlobalTable');
    expect(table?.Properties.TableName).toBeUndefined();
    expect(table?.Properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
    const [pool] = resources(template(app.templates, stack), 'AWS::Cognito::UserPool');
    const { AliasAttributes, UsernameAttributes, UsernameConfiguration, Schema } = pool?.Properties ?? {};
    expect([UsernameAttributes, UsernameConfiguration, Schema]).toEqual([undefined, undefined, undefined]);
    expect(AliasAttributes).toEqual(stack === 'sandbox/Data' ? ['email'] : undefined);
  });

  // DynamoDB creates or deletes at most one index of a table in an update.
  it('has one index, so that the next one comes alone', () => {
    const [table] = resources(template(app.templates, 'sandbox/Data'), 'AWS::DynamoDB::GlobalTable');
    expect(table?.Properties.GlobalSecondaryIndexes).toMatchObject([{ IndexName: 'audit-window' }]);
  });
});

describe('lines of business that are given up', () => {
  const importsOf = (of: Template) =>
    [...JSON.stringify(of).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name = '']) => name);
  const exportsOf = (of: Template) =>
    Object.values(of.Outputs ?? {}).flatMap((output) => {
      const { Export } = output as { readonly Export?: { readonly Name: string } };
      return Export === undefined ? [] : [Export.Name];
    });

  // The order that the runbook gives: CloudFormation does not remove an export that another stack still imports.
  it('leaves the stacks that use the others first, by values that are still there', () => {
    const before = new Set([...app.templates.values()].flatMap(exportsOf));
    for (const stack of ['sandbox/Authorization', 'sandbox/Subscriptions']) {
      const used = importsOf(template(fewer.templates, stack));
      expect(used.length, stack).toBeGreaterThan(2);
      expect(
        used.filter((name) => !before.has(name)),
        stack,
      ).toEqual([]);
      expect(
        givenUp.filter((lob) => used.join().includes(lob)),
        stack,
      ).toEqual([]);
    }
    const after = new Set(exportsOf(template(fewer.templates, 'sandbox/Data')));
    const stillUsed = importsOf(template(app.templates, 'sandbox/Authorization')).filter(
      (name) => name.startsWith('sandbox-Data:') && !after.has(name),
    );
    const signing = givenUp.map((lob) => expect.stringContaining(`Signing${lob}`));
    expect([...new Set(stillUsed)].sort()).toEqual(signing);
  });

  it('leaves those of the others as they are, made again of the same input', () => {
    const ofLobs = (of: ConfiguredApp) => [...of.templates].filter(([stack]) => stack.includes('/Lob'));
    const stacks = left.map((lob) => `sandbox/Lob${lob}`);
    expect(ofLobs(fewer)).toEqual(ofLobs(app).filter(([stack]) => stacks.includes(stack)));
    expect(ofLobs(fewer)).toHaveLength(left.length);
  });
});
