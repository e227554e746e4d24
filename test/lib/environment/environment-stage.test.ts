import { beforeAll, describe, expect, it } from 'vitest';
import { environmentVariables } from '../../../lambdas/catalog/environment-variables.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { environmentDeadlines } from '../../../lambdas/portal/catalog/environment-deadlines.ts';
import { production } from '../../../lib/config/production.ts';
import { sandbox } from '../../../lib/config/sandbox.ts';
import {
  methods,
  ownFunctions,
  resources,
  synthesizeApp,
  synthesizedApp,
  type Template,
  template,
} from '../synthesized-app.ts';

let templates: ReadonlyMap<string, Template>;
/** The sandbox's templates without the demonstration, which production does not have. */
let plain: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
  plain = synthesizeApp({ 'sandbox.tiers': JSON.stringify({ standard: sandbox.tiers.standard }) });
});

const stacksOf = (environment: string) => [
  `${environment}/Data`,
  `${environment}/Recovery`,
  `${environment}/Authorization`,
  `${environment}/Directory`,
  `${environment}/Exchange`,
  `${environment}/Jobs`,
  `${environment}/Loads`,
  ...lineOfBusinessCodes.map((lob) => `${environment}/Lob${lob}`),
  `${environment}/Subscriptions`,
  `${environment}/Monitoring`,
];

/** Logical IDs end in a hash of the construct's path, that of a deployment also in a hash of what it deploys. */
const hashes = /[0-9A-F]{8}[0-9a-f]{32}|[0-9a-f]{32,}|[0-9A-F]{8}/g;

/**
 * A template as lines, without the values of its configuration and without hashes, so that templates of two configurations can be compared.
 */
function shape(
  of: Template,
  { environment, domain, account, resourceId, ...rest }: typeof sandbox,
): string[] {
  const tierNumbers = Object.values(rest.tiers).flatMap(({ requestsPerSecond, ...tier }) => [
    requestsPerSecond,
    ...Object.values(tier),
    // The limit of an IP address in five minutes is computed from the rates.
    300 * requestsPerSecond + 5 * rest.rates.tokenRequestsPerMinute,
  ]);
  let text = JSON.stringify(of, null, 1)
    .replaceAll(rest.certificateArn, '<certificate>')
    .replaceAll(resourceId, '<resource id>')
    .replaceAll('developer.memberdata.example', '<portal>')
    .replaceAll(domain, '<domain>')
    .replaceAll(account, '<account>')
    .replaceAll(environment, '<environment>')
    .replace(/("DefaultRetention": )\{[^}]*\}/, '$1<auditArchive>')
    .replace(hashes, '<hash>');
  for (const number of [...tierNumbers, rest.rates.hostRequestsPerSecond, rest.rates.hostBurst])
    text = text.replace(new RegExp(`(Limit": )${number}\\b`, 'g'), '$1<number>');
  return text.split('\n').sort();
}

describe('the app', () => {
  it('has the stacks that `cdk deploy` names', () => {
    const portal = ['portal/Data', 'portal/Site'];
    expect([...templates.keys()].sort()).toEqual(
      [...stacksOf('sandbox'), ...stacksOf('production'), ...portal].sort(),
    );
  });

  it.each(
    stacksOf('<>').map((name) => name.slice(3)),
  )('differs in %s between sandbox and production by configuration only', (stack) => {
    const inSandbox = shape(template(plain, `sandbox/${stack}`), sandbox);
    const inProduction = shape(template(templates, `production/${stack}`), production);
    expect(inSandbox.filter((line) => /Limit/.test(line))).not.toContain('undefined');
    expect(inSandbox).toEqual(inProduction);
  });

  it('differs on one machine by addresses, by not calling those of applications, and by operators’ second factor', () => {
    const { templates: local, messages } = synthesizedApp({ configuration: 'local', port: '9090' });
    const addresses = (of: Template) =>
      // CDK writes exports in an order that depends on how many values it has resolved before.
      JSON.stringify({ ...of, Outputs: Object.fromEntries(Object.entries(of.Outputs ?? {}).sort()) }, null, 1)
        .replaceAll('http://', 'https://')
        .replaceAll('portal.localhost', 'developer.localhost')
        .replace(/"NETWORK_CHECKS": "(on|off)"/g, '"NETWORK_CHECKS": "<on or off>"')
        .replace(/"OPERATOR_AUTHENTICATOR": "(required|offered)"/g, '"OPERATOR_AUTHENTICATOR": "<either>"')
        .replaceAll('.localhost:9090', '.memberdata.example')
        .replaceAll('.localhost', '.memberdata.example')
        .replaceAll('production.memberdata', 'memberdata')
        .replace(hashes, '<hash>')
        .split('\n');
    for (const [stack, each] of templates) {
      expect(addresses(template(local, stack)), stack).toEqual(addresses(each));
    }
    // The local configuration causes no warning about example values (lib/config/example-values.ts).
    expect(messages.join()).not.toContain('examples');
  });

  it('says which bundle is missing and how to make it', () => {
    expect(() => synthesizeApp({}, ['token'])).toThrow('dist/token is missing: run npm run bundle');
  });
});

describe('a function', () => {
  it('is given variables the catalog names, and none that is empty', () => {
    const names = new Set<string>(Object.values(environmentVariables));
    for (const [stack, each] of templates) {
      for (const { Properties: properties } of ownFunctions(each)) {
        const { Variables } = properties.Environment as { readonly Variables: Record<string, unknown> };
        for (const [name, value] of Object.entries(Variables)) {
          expect(names.has(name) && value !== '', `${stack} ${name}`).toBe(true);
        }
      }
    }
  });

  it('answers within ten seconds or not at all, 28 if it asks an environment or downloads a publication, but for those a schedule, a state machine or an operator calls', () => {
    let reserved = 0;
    for (const [stack, each] of templates) {
      for (const [id, { Type, Properties: properties }] of Object.entries(each.Resources)) {
        if (Type !== 'AWS::Lambda::Function' || String(properties.Runtime).startsWith('python')) continue;
        if (
          !/^(AccountSweep|AuditArchive|AuditSeal|AuditVerify|Ingest|PortalOutboxWorker|LoadSteps|LoadRange|LoadOperations|JobOperations|ExchangeOperations|FunctionsExchangeSteps|DirectoryBuild|FunctionsPayerJobs|FunctionsApplicationOperations)Function/.test(
            id,
          )
        ) {
          const asks = /^Functions(PortalApplications|PortalOperations|ProviderDirectory)Function/.test(id);
          expect(Number(properties.Timeout), `${stack} ${id}`).toBeLessThanOrEqual(
            asks ? environmentDeadlines.functionSeconds : 10,
          );
        }
        expect(Number(properties.ReservedConcurrentExecutions), stack).toBeGreaterThan(0);
        if (stack.startsWith('sandbox/')) reserved += Number(properties.ReservedConcurrentExecutions);
      }
    }
    // An account's 1,000 concurrent executions less the 100 that AWS keeps unreserved and the 21 of the functions that federation adds.
    expect(reserved).toBeLessThanOrEqual(879);
  });
});

describe('a request in which the portal asks an environment', () => {
  it('waits until the environment’s function has ended, and ends before API Gateway does', () => {
    const functions = [...templates.values()].flatMap(({ Resources }) => Object.entries(Resources));
    const secondsOf = (id: RegExp) =>
      functions.filter(([name]) => id.test(name)).map(([, { Properties }]) => Number(Properties.Timeout));
    const { answerMs, lastStepMs, functionSeconds } = environmentDeadlines;
    const provisioning = secondsOf(/^ProvisioningFunction[0-9A-F]{8}$/);
    expect(provisioning).toHaveLength(2);
    expect(Math.max(...provisioning) * 1000).toBeLessThan(answerMs);
    expect(secondsOf(/^FunctionsPortal(Applications|Operations)Function[0-9A-F]{8}$/)).toEqual(
      Array.from({ length: 2 }, () => functionSeconds),
    );
    expect(lastStepMs + answerMs).toBeLessThan(functionSeconds * 1000);
    expect(functionSeconds).toBeLessThan(29);
  });
});

describe('the usage plan of a tier', () => {
  it('meters the six LOB stages and the token stage', () => {
    const [plan] = resources(template(templates, 'sandbox/Subscriptions'), 'AWS::ApiGateway::UsagePlan');
    const stages = plan?.Properties.ApiStages as readonly { readonly ApiId: Record<string, string> }[];
    const exporters = stages.map(({ ApiId }) => ApiId['Fn::ImportValue']?.split(':')[0]).sort();
    expect(exporters).toEqual(
      ['sandbox-Authorization', ...lineOfBusinessCodes.map((lob) => `sandbox-Lob${lob}`)].sort(),
    );
  });
});

describe('the authorization hosts', () => {
  it('guard the machine-to-machine token endpoint, and nothing else', () => {
    const guarded = methods(template(templates, 'sandbox/Authorization')).filter(
      ({ authorizer, apiKeyRequired }) => authorizer !== undefined || apiKeyRequired,
    );
    expect(guarded).toMatchObject([{ path: '/token/v2', httpMethod: 'POST', apiKeyRequired: true }]);
    expect(guarded[0]?.authorizer).toMatch(/^MachineAuthorizer/);
  });

  it('have the endpoints the description and the discovery standards name', () => {
    const all = methods(template(templates, 'sandbox/Authorization'));
    const named = all.filter(({ httpMethod }) => httpMethod !== 'ANY');
    const memberPages = ['/fhir-oauth2/sec/{lob}/connected-apps', '/fhir-oauth2/sec/{lob}/{proxy+}'];
    // Any other method of a path is answered with 405 (RFC 9110 section 15.5.6).
    const refusing = all.filter(({ httpMethod }) => httpMethod === 'ANY').map(({ path }) => path);
    expect(refusing.sort()).toEqual([...new Set([...named.map(({ path }) => path), ...memberPages])].sort());
    expect(named.map(({ httpMethod, path }) => `${httpMethod} ${path}`).sort()).toEqual([
      'GET /.well-known/jwks.json',
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-authorization-server/fhir-oauth2/{lob}',
      'GET /.well-known/openid-configuration/fhir-oauth2/{lob}',
      'GET /fhir-oauth2/payers/jwks',
      'GET /fhir-oauth2/pub/{lob}/jwks',
      'GET /fhir-oauth2/pub/{lob}/userinfo',
      'GET /fhir-oauth2/{lob}/.well-known/openid-configuration',
      'HEAD /.well-known/jwks.json',
      'HEAD /.well-known/oauth-authorization-server',
      'HEAD /.well-known/oauth-authorization-server/fhir-oauth2/{lob}',
      'HEAD /.well-known/openid-configuration/fhir-oauth2/{lob}',
      'HEAD /fhir-oauth2/payers/jwks',
      'HEAD /fhir-oauth2/pub/{lob}/jwks',
      'HEAD /fhir-oauth2/{lob}/.well-known/openid-configuration',
      'OPTIONS /fhir-oauth2/pub/{lob}/revoke',
      'OPTIONS /fhir-oauth2/pub/{lob}/token',
      'OPTIONS /fhir-oauth2/pub/{lob}/userinfo',
      'OPTIONS /token/v2',
      'POST /fhir-oauth2/pub/{lob}/introspect',
      'POST /fhir-oauth2/pub/{lob}/revoke',
      'POST /fhir-oauth2/pub/{lob}/token',
      'POST /fhir-oauth2/pub/{lob}/userinfo',
      'POST /token/v2',
    ]);
  });
});

describe('what an environment must not lose', () => {
  it.each([
    'AWS::DynamoDB::GlobalTable',
    'AWS::Cognito::UserPool',
    'AWS::KMS::Key',
    'AWS::SecretsManager::Secret',
  ])('outlives its stack: %s', (type) => {
    const kept = resources(template(templates, 'production/Data'), type);
    expect(kept.length).toBeGreaterThan(0);
    for (const resource of kept) {
      expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  it('can be restored to any second', () => {
    const [table] = resources(template(templates, 'production/Data'), 'AWS::DynamoDB::GlobalTable');
    expect(table?.Properties.Replicas).toMatchObject([
      {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    ]);
  });
});

describe('the signing secrets', () => {
  it('hold no key when they are made, and get their first from the rotation', () => {
    const data = template(templates, 'sandbox/Data');
    const secrets = resources(data, 'AWS::SecretsManager::Secret');
    // And one for M2M, one for assertions at other payers.
    expect(secrets).toHaveLength(lineOfBusinessCodes.length + 2);
    for (const { Properties: properties } of secrets) expect(properties.SecretString).toBe('{"keys":[]}');
    const schedules = resources(data, 'AWS::SecretsManager::RotationSchedule');
    expect(schedules).toHaveLength(secrets.length);
    for (const { Properties: properties } of schedules) {
      expect(properties).toMatchObject({
        RotateImmediatelyOnUpdate: true,
        RotationRules: { AutomaticallyAfterDays: sandbox.keyRotationDays },
      });
    }
  });
});
