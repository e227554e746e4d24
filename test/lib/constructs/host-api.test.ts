import { beforeAll, describe, expect, it } from 'vitest';
import { readConfigurations } from '../../../lib/config/read-configurations.ts';
import { configuredApp, hostedZone } from '../configured-app.ts';
import { resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

let templates: ReadonlyMap<string, Template>;
/** The templates of a configuration with a hosted zone. */
let withZone: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
  withZone = configuredApp().templates;
});

describe('a host', () => {
  it('writes its DNS record where the hosted zone is configured, and only there', () => {
    const records = (of: ReadonlyMap<string, Template>) =>
      resources(template(of, 'sandbox/LobDSNP'), 'AWS::Route53::RecordSet');
    expect(records(withZone)[0]?.Properties).toMatchObject({
      Name: `dsnp.api.sandbox.${hostedZone.name}.`,
      HostedZoneId: hostedZone.id,
      Type: 'A',
    });
    expect(records(templates)).toEqual([]);
  });

  it('says in an output what DNS has to say where that is kept elsewhere, and only there', () => {
    const outputs = (of: Template | undefined) =>
      Object.entries(of?.Outputs ?? {})
        .filter(([id]) => /(DnsRecord|DkimRecord)/.test(id))
        .map(([, { Value }]) => JSON.stringify(Value));
    const all = [...templates.values()].flatMap(outputs);
    for (const name of ['auth', 'token', 'dsnp.api'].map((host) => `${host}.sandbox.memberdata.example`)) {
      expect(all.filter((each) => each.includes(`"${name} CNAME `))).toHaveLength(1);
    }
    expect(all.filter((each) => each.includes('"developer.memberdata.example CNAME '))).toHaveLength(1);
    // Three DKIM records for the mail identity of each environment and of the portal.
    expect(all.filter((each) => each.includes('DkimDNSTokenName'))).toHaveLength(9);
    expect([...withZone.values()].flatMap(outputs)).toEqual([]);
  });

  it('logs each call without a path, a query or a header of the caller', () => {
    for (const [stack, each] of templates) {
      for (const { Properties: properties } of resources(each, 'AWS::ApiGateway::Stage')) {
        const { Format } = properties.AccessLogSetting as { readonly Format: string };
        expect(JSON.parse(Format), stack).toMatchObject({ route: '$context.resourcePath' });
        expect(Format, stack).not.toMatch(/\$context\.path|\.(header|querystring|userAgent|apiKey)\b/);
        expect(properties.MethodSettings, stack).toMatchObject([{ DataTraceEnabled: false }]);
      }
    }
  });

  it('takes so many calls in a second, so that no host uses up the account’s', () => {
    for (const { environment, rates, tiers } of readConfigurations({})) {
      const stages = [...templates]
        .filter(([stack]) => stack.startsWith(`${environment}/`))
        .flatMap(([, each]) => resources(each, 'AWS::ApiGateway::Stage'));
      expect(stages).toHaveLength(8);
      for (const { Properties: properties } of stages) {
        expect(properties.MethodSettings).toMatchObject([
          {
            ResourcePath: '/*',
            HttpMethod: '*',
            ThrottlingRateLimit: rates.hostRequestsPerSecond,
            ThrottlingBurstLimit: rates.hostBurst,
          },
        ]);
      }
      for (const tier of Object.values(tiers)) {
        expect(tier.requestsPerSecond).toBeLessThanOrEqual(rates.hostRequestsPerSecond);
      }
    }
  });

  it('leaves no trace of a URL, and no metric for each route, which costs as many', () => {
    const stages = [...templates.values()].flatMap((each) => resources(each, 'AWS::ApiGateway::Stage'));
    expect(stages).toHaveLength(17);
    for (const { Properties: properties } of stages) {
      expect(properties.TracingEnabled).toBe(false);
      expect(properties.MethodSettings).toMatchObject([{ MetricsEnabled: false, LoggingLevel: 'OFF' }]);
    }
  });

  it('stands behind the web ACL, whose log keeps no credential', () => {
    const hosts = [...templates.values()].flatMap((each) => resources(each, 'AWS::ApiGateway::Stage'));
    const guarded = [...templates.values()].flatMap((each) =>
      resources(each, 'AWS::WAFv2::WebACLAssociation'),
    );
    expect(guarded).toHaveLength(hosts.length);
    const [logging] = resources(template(templates, 'sandbox/Data'), 'AWS::WAFv2::LoggingConfiguration');
    expect(logging?.Properties.RedactedFields).toEqual(
      expect.arrayContaining([
        { SingleHeader: { Name: 'authorization' } },
        { SingleHeader: { Name: 'x-api-subscription-key' } },
        { SingleHeader: { Name: 'cookie' } },
        { QueryString: {} },
        { UriPath: {} },
      ]),
    );
  });
});
