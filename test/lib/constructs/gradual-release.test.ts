import { describe, expect, it } from 'vitest';
import { deployTemplates } from '../../../local/assembly/deployment.ts';
import { assemblyOf } from '../../../local/assembly/resources.ts';
import { readShifts } from '../../../local/release/deployment-groups.ts';
import { resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

describe('a release', () => {
  const templates = synthesizeApp();
  const idsOf = (of: Template, type: string) =>
    Object.entries(of.Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []));

  it.each([
    ['sandbox/LobDSNP', ['Authorizer', 'PatientAccess', 'PayerAccess', 'ProviderDirectory']],
    ['production/LobMHBE', ['Authorizer', 'PatientAccess', 'PayerAccess']],
    ['production/Authorization', ['MachineAuthorizer', 'MachineToken', 'Token']],
  ])('moves the calls of the authorizers, the reads and the tokens step by step: %s', (stack, names) => {
    const resourcesOf = deployTemplates(
      [...templates].map(([path, each]) => ({
        ...{ name: path.replace('/', '-'), environment: '', account: '111122223333', region: 'us-east-1' },
        template: each,
      })),
    ).resources;
    const shifts = readShifts(assemblyOf(resourcesOf)).filter(
      (each) => each.stack === stack.replace('/', '-'),
    );
    expect(shifts.map(({ name }) => name).sort()).toEqual(names);
    for (const { firstPart, forMs, alarms } of shifts) {
      expect([firstPart, forMs]).toEqual([0.1, 300_000]);
      expect(alarms).toHaveLength(names.length + 1);
    }
  });

  it('is called by hosts: no method and no authorizer of a released function calls another version', () => {
    for (const [path, each] of templates) {
      const released = idsOf(each, 'AWS::Lambda::Alias').map((id) => id.replace(/Aliaslive[0-9A-F]{8}$/, ''));
      const called = [
        ...resources(each, 'AWS::ApiGateway::Method'),
        ...resources(each, 'AWS::ApiGateway::Authorizer'),
        ...resources(each, 'AWS::Lambda::Permission'),
      ].map(({ Properties }) => JSON.stringify(Properties));
      for (const name of released) {
        const calls = called.filter((text) => text.includes(name));
        expect(calls.length, `${path} ${name}`).toBeGreaterThan(1);
        for (const text of calls) expect(text, path).toContain(`"Ref":"${name}Aliaslive`);
      }
    }
  });

  it('is watched by the version that it brings, and counts its defects before it is called', () => {
    const stack = template(templates, 'sandbox/LobDSNP');
    const versions = idsOf(stack, 'AWS::Lambda::Version');
    expect(versions).toHaveLength(4);
    for (const id of versions) {
      const version = { 'Fn::GetAtt': [id, 'Version'] };
      const alarms = resources(stack, 'AWS::CloudWatch::Alarm').filter(({ Properties: { Dimensions } }) =>
        (Dimensions as readonly { Value: unknown }[] | undefined)?.some(
          ({ Value }) => JSON.stringify(Value) === JSON.stringify(version),
        ),
      );
      expect(alarms).toHaveLength(1);
      const [filter] = Object.entries(stack.Resources).filter(
        ([, { Type, Properties: properties }]) =>
          Type === 'AWS::Logs::MetricFilter' && JSON.stringify(properties.FilterPattern).includes(`"${id}"`),
      );
      expect(filter?.[1].Properties.FilterPattern).toEqual({
        'Fn::Join': ['', ['"defect" "version ', version, ' of"']],
      });
      const waiting = Object.values(stack.Resources).filter(
        (each) =>
          each.Type === 'AWS::CodeDeploy::DeploymentGroup' &&
          (each as { readonly DependsOn?: readonly string[] }).DependsOn?.includes(filter?.[0] ?? ''),
      );
      expect(waiting).toHaveLength(1);
    }
  });

  it('lets CodeDeploy change the aliases of its stack, and read its alarms', () => {
    for (const path of ['sandbox/LobDSNP', 'sandbox/Authorization']) {
      const stack = template(templates, path);
      const policies = Object.entries(stack.Resources).filter(([id]) =>
        id.startsWith('FunctionsReleasePolicy'),
      );
      const statements = policies.flatMap(
        ([
          ,
          {
            Properties: { PolicyDocument },
          },
        ]) => (PolicyDocument as { readonly Statement: readonly Statement[] }).Statement,
      );
      expect(statements.map(({ Action }) => Action)).toEqual([
        ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
        'cloudwatch:DescribeAlarms',
      ]);
      const aliases = idsOf(stack, 'AWS::Lambda::Alias');
      expect([statements[0]?.Resource].flat()).toHaveLength(2 * aliases.length);
      expect([statements[1]?.Resource].flat()).toHaveLength(aliases.length + 1);
      expect(JSON.stringify(statements)).not.toContain('*');
    }
  });
});
