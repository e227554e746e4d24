import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';
import { resources, synthesizeApp } from './synthesized-app.ts';

const page = readFileSync(join(repositoryRoot, 'docs/architecture.md'), 'utf8');
const [, deployables = ''] = /## Deployables and stacks\n([\s\S]*?)\n## /.exec(page) ?? [];
const [ofEnvironment = '', ofPortal = ''] = deployables.split('The stacks of the portal:');

/** The functions that a table of the page names for a stack. */
function named(table: string, stack: string): readonly string[] {
  const row = table.split('\n').find((line) => line.startsWith(`| \`${stack}`)) ?? '';
  const [, , , functions = ''] = row.split('|');
  // Functions after the semicolon exist in some configurations only.
  const [always = ''] = functions.split(';');
  return [...always.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name).sort();
}

describe('the page on architecture', () => {
  const templates = synthesizeApp();

  /** The functions of a stack, by the names of their policies. */
  const made = (stack: string) =>
    Object.entries(templates.get(stack)?.Resources ?? {})
      // The policies of a state machine, of its rule, of a release and of uploaders are no functions'.
      .filter(
        ([id, { Type }]) =>
          Type === 'AWS::IAM::ManagedPolicy' &&
          !/^(Loads(Logging|Rule)?|Functions(Jobs|Release|ExchangeMachine)|Uploader[A-Z]+)Policy/.test(id),
      )
      .flatMap(([id]) => /^(?:Functions|Signing)?(\w+?)(?:Table)?Policy[0-9A-F]{8}$/.exec(id)?.[1] ?? [])
      .map((id) => id.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase())
      .filter((name, at, all) => all.indexOf(name) === at)
      .sort();

  it.each([
    ['Data', 'sandbox/Data', ofEnvironment],
    ['Authorization', 'production/Authorization', ofEnvironment],
    ['Jobs', 'sandbox/Jobs', ofEnvironment],
    ['Loads', 'production/Loads', ofEnvironment],
    ['Exchange', 'sandbox/Exchange', ofEnvironment],
    ['LobCHPDC', 'sandbox/LobDSNP', ofEnvironment],
    ['Subscriptions', 'sandbox/Subscriptions', ofEnvironment],
    ['Data', 'portal/Data', ofPortal],
    ['Site', 'portal/Site', ofPortal],
  ])('names the functions of %s as they are in %s', (name, stack, table) => {
    expect(named(table, name).length).toBeGreaterThan(0);
    expect(named(table, name)).toEqual(made(stack));
  });

  it('is right that few things have names of their own', () => {
    const names = [...templates.values()].flatMap((each) => [
      ...resources(each, 'AWS::Lambda::Function').map(({ Properties: { FunctionName } }) => FunctionName),
      ...resources(each, 'AWS::Logs::LogGroup').map(({ Properties: { LogGroupName } }) => LogGroupName),
      ...resources(each, 'AWS::DynamoDB::GlobalTable').map(({ Properties: { TableName } }) => TableName),
      ...resources(each, 'AWS::IAM::Role').map(({ Properties: { RoleName } }) => RoleName),
      ...resources(each, 'AWS::S3::Bucket').map(({ Properties: { BucketName } }) => BucketName),
      ...resources(each, 'AWS::Cognito::UserPool').map(({ Properties: { UserPoolName } }) => UserPoolName),
      ...resources(each, 'AWS::SecretsManager::Secret').map(({ Properties: { Name } }) => Name),
    ]);
    const own = names.filter((name) => name !== undefined).map(String);
    expect(own.map((name) => name.replace(/[0-9a-f]{42}/, '<address>')).sort()).toEqual([
      'aws-waf-logs-<address>',
      'aws-waf-logs-<address>',
      'aws-waf-logs-<address>',
      'member-data-portal-directory-keys',
      'member-data-production-directory-operations',
      'member-data-production-exchange-operations',
      'member-data-production-job-operations',
      'member-data-production-load-operations',
      'member-data-production-provisioning',
      'member-data-sandbox-directory-operations',
      'member-data-sandbox-exchange-operations',
      'member-data-sandbox-job-operations',
      'member-data-sandbox-load-operations',
      'member-data-sandbox-provisioning',
    ]);
  });
});
