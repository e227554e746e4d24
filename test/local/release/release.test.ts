import { describe, expect, it } from 'vitest';
import { deployTemplates } from '../../../local/assembly/deployment.ts';
import { type Assembly, assemblyOf } from '../../../local/assembly/resources.ts';
import { versionNumbers } from '../../../local/assembly/version-numbers.ts';
import { cloudWatch } from '../../../local/cloudwatch/cloudwatch.ts';
import type { Share } from '../../../local/lambda/alias-routes.ts';
import { NotReleasable } from '../../../local/release/changed-stacks.ts';
import { readShifts } from '../../../local/release/deployment-groups.ts';
import { createRelease } from '../../../local/release/release.ts';

interface Changes {
  /** S3 key of the function's code. */
  readonly code?: string;
  readonly configuration?: string;
  readonly actions?: readonly string[];
  readonly bucket?: string;
}

/** A template with a function behind the alias `live`, and an alarm on the errors of its newest version. */
function template({
  code = 'one',
  configuration = 'LambdaCanary10Percent5Minutes',
  actions,
  bucket,
}: Changes) {
  const Version = `Version${code}`;
  const Ref = (id: string) => ({ Ref: id });
  const attribute = (id: string, name: string) => ({ 'Fn::GetAtt': [id, name] });
  return {
    Resources: {
      ReaderFunction: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Code: { S3Key: code },
          ...{ Runtime: 'nodejs24.x', Handler: 'index.handler', Role: attribute('Role', 'Arn') },
        },
      },
      [Version]: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: Ref('ReaderFunction') } },
      ReaderFunctionAliaslive01234567: {
        Type: 'AWS::Lambda::Alias',
        Properties: {
          Name: 'live',
          FunctionName: Ref('ReaderFunction'),
          FunctionVersion: attribute(Version, 'Version'),
        },
        UpdatePolicy: {
          CodeDeployLambdaAliasUpdate: {
            ApplicationName: Ref('Application'),
            DeploymentGroupName: Ref('Group'),
          },
        },
      },
      Application: { Type: 'AWS::CodeDeploy::Application', Properties: { ComputePlatform: 'Lambda' } },
      Group: {
        Type: 'AWS::CodeDeploy::DeploymentGroup',
        Properties: {
          DeploymentConfigName: `CodeDeployDefault.${configuration}`,
          ServiceRoleArn: attribute('Role', 'Arn'),
          AlarmConfiguration: { Enabled: true, Alarms: [{ Name: Ref('Failed') }] },
          AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_STOP_ON_ALARM'] },
        },
      },
      Failed: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          ...{ Namespace: 'AWS/Lambda', MetricName: 'Errors', Statistic: 'Sum', Period: 60, Threshold: 3 },
          ...{ EvaluationPeriods: 1, ComparisonOperator: 'GreaterThanOrEqualToThreshold' },
          TreatMissingData: 'notBreaching',
          Dimensions: [{ Name: 'ExecutedVersion', Value: attribute(Version, 'Version') }],
        },
      },
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      Policy: {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: {
          Roles: [Ref('Role')],
          PolicyDocument: {
            Statement: (
              actions ?? ['lambda:GetAlias', 'lambda:UpdateAlias', 'cloudwatch:DescribeAlarms']
            ).map((Action) => ({ Effect: 'Allow', Action, Resource: '*' })),
          },
        },
      },
      ...(bucket !== undefined && { [bucket]: { Type: 'AWS::S3::Bucket', Properties: {} } }),
    },
  };
}

/** The system that runs two lines of business, each a stack; time passes while a release waits. */
function system() {
  const versions = versionNumbers();
  const assembled = (changes: Readonly<Record<string, Changes>>): Assembly => {
    const stacks = ['sandbox-LobDSNP', 'sandbox-LobEGWP', 'production-LobMAPD'].map((name) => ({
      ...{ name, environment: name.split('-')[0] ?? '', account: '111122223333', region: 'us-east-1' },
      template: template(changes[name.slice(-7)] ?? {}),
    }));
    const { resources, outputs } = deployTemplates(stacks, versions);
    return assemblyOf(resources, outputs, new Map(['one', 'two', 'three'].map((key) => [key, `/${key}`])));
  };
  let now = 0;
  const rings: string[] = [];
  const first = assembled({});
  const watch = cloudWatch({ assembly: first, now: () => now, tell: (line) => rings.push(line) });
  const routed: string[] = [];
  const code = new Map<string, string>();
  const nameOf = (arn: string) => /Lob\w{4}/.exec(arn)?.[0] ?? '';
  const lambda = {
    update: ({ arn, codePath }: { arn: string; codePath: string }) => void code.set(nameOf(arn), codePath),
    publish: ({ arn, version, codePath }: { arn: string; version: string; codePath: string }) =>
      void routed.push(`${nameOf(arn)} publishes ${version} of ${codePath}`),
    route: (arn: string, shares: readonly Share[]) =>
      void routed.push(
        `${nameOf(arn)} ${shares.map(({ version, part }) => `${version}: ${part}`).join(', ')}`,
      ),
  };
  let during: () => void = () => {};
  const wait = async (ms: number) => {
    now += ms;
    during();
  };
  const release = createRelease(first, { lambda, watch, wait });
  const lines: string[] = [];
  return {
    routed,
    lines,
    code,
    seconds: () => now / 1_000,
    /** Publishes errors of a version while the release waits. */
    failing: (version: string, errors = 3) => {
      during = () => {
        for (let count = 0; count < errors; count += 1)
          watch.publish('AWS/Lambda', 'Errors', { ExecutedVersion: version }, 1);
        during = () => {};
      };
    },
    release: (changes: Readonly<Record<string, Changes>>, begin?: string) =>
      release(assembled(changes), begin, (line) => lines.push(line)),
  };
}

describe('a release to the running system', () => {
  it('gives a changed function a tenth of the calls for five minutes, and then all', async () => {
    const { release, routed, seconds } = system();
    expect(await release({ LobDSNP: { code: 'two' } })).toBe('released');
    expect(seconds()).toBe(300);
    expect(routed).toEqual(['LobDSNP publishes 2 of /two', 'LobDSNP 2: 0.1, 1: 0.9', 'LobDSNP 2: 1']);
  });

  it('goes back within a minute when the alarm of its version rings, and the next one gets a new number', async () => {
    const { release, routed, seconds, failing, lines, code } = system();
    failing('2');
    expect(await release({ LobDSNP: { code: 'two' } })).toBe('rolled back');
    expect(seconds()).toBeLessThan(60);
    expect(routed.at(-1)).toBe('LobDSNP 1: 1');
    expect(code.get('LobDSNP')).toBe('/one');
    expect(lines.at(-1)).toBe('sandbox-LobDSNP: rolled back, because sandbox-LobDSNP/Failed rings');
    expect(await release({ LobDSNP: { code: 'three' } })).toBe('released');
    expect(routed.at(-1)).toBe('LobDSNP 3: 1');
  });

  it('can mend the version before, whose errors are not its own', async () => {
    const { release, failing } = system();
    failing('1', 100);
    expect(await release({ LobDSNP: { code: 'two' } })).toBe('released');
  });

  it('deploys one line of business of the sandbox first, and no other if that fails', async () => {
    const changed = { LobDSNP: { code: 'two' }, LobEGWP: { code: 'two' }, LobMAPD: { code: 'two' } };
    const failed = system();
    failed.failing('2');
    expect(await failed.release(changed, 'EGWP')).toBe('rolled back');
    expect(failed.routed.filter((each) => !each.startsWith('LobEGWP'))).toEqual([]);
    const done = system();
    expect(await done.release(changed, 'EGWP')).toBe('released');
    expect(done.lines.filter((each) => each.endsWith('released'))).toEqual([
      'sandbox-LobEGWP: released',
      'sandbox-LobDSNP: released',
      'production-LobMAPD: released',
    ]);
    expect(done.seconds()).toBe(900);
  });

  it('changes nothing if something else changes too, and names it', async () => {
    const { release, routed } = system();
    const refused = release({ LobDSNP: { code: 'two', bucket: 'Files' } });
    await expect(refused).rejects.toThrow(NotReleasable);
    await expect(refused).rejects.toThrow('sandbox-LobDSNP/Files (AWS::S3::Bucket) changes too');
    expect(routed).toEqual([]);
  });

  it('waits for nothing if nothing changed', async () => {
    const { release, routed, seconds, lines } = system();
    expect(await release({})).toBe('released');
    expect([routed, seconds(), lines]).toEqual([[], 0, ['Nothing changed.']]);
  });
});

describe('a deployment group', () => {
  const read = (changes: Changes) => {
    const stack = { name: 's', environment: '', account: '111122223333', region: 'us-east-1' };
    return readShifts(assemblyOf(deployTemplates([{ ...stack, template: template(changes) }]).resources));
  };

  it('says the share of a new version, its time and its alarms', () => {
    expect(read({})).toMatchObject([
      { name: 'Reader', firstPart: 0.1, forMs: 300_000, alarms: ['s/Failed'] },
    ]);
    expect(read({ configuration: 'LambdaCanary20Percent10Minutes' })).toMatchObject([
      { firstPart: 0.2, forMs: 600_000 },
    ]);
  });

  it.each([
    [
      'a configuration that is not known here',
      { configuration: 'LambdaLinear10PercentEvery1Minute' },
      'Linear',
    ],
    ['a role that may not change the alias', { actions: ['lambda:GetAlias'] }, 'lambda:UpdateAlias'],
    [
      'a role that may not read alarms',
      { actions: ['lambda:GetAlias', 'lambda:UpdateAlias'] },
      'DescribeAlarms',
    ],
  ])('is refused with %s', (_what, changes, named) => {
    expect(() => read(changes)).toThrow(named);
  });
});
