import { beforeAll, describe, expect, it } from 'vitest';
import { fhirRoutes, methodsOf } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import { offers } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { methods, resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

let templates: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
});

describe.each(['sandbox', 'production'])('a line of business in %s', (environment) => {
  const stackOf = (lob: string) => template(templates, `${environment}/Lob${lob}`);

  it.each(lineOfBusinessCodes)('%s has the routes the catalog says it offers, and no other', (lob) => {
    const offered = fhirRoutes.filter((route) => offers(lob, route.interface));
    const made = methods(stackOf(lob)).filter(({ httpMethod }) => httpMethod !== 'OPTIONS');
    const open = offered.filter(({ access }) => access === 'public');
    const guarded = offered.filter(({ access }) => access !== 'public');
    // RFC 9110 section 9.1: a resource with GET has HEAD. A guarded path has one ANY method.
    const expected = [
      ...open.flatMap(({ method, path, gatewayPath: at = path }) => [
        ...[`${method} ${at}`, `HEAD ${at}`, `ANY ${at}`],
      ]),
      ...guarded.map(({ path, gatewayPath = path }) => `ANY ${gatewayPath}`),
    ];
    expect(made.map(({ httpMethod, path }) => `${httpMethod} ${path}`).sort()).toEqual(
      [...new Set(expected)].sort(),
    );
  });

  it.each(lineOfBusinessCodes)('%s stays within what an API and a stack may hold', (lob) => {
    const stack = stackOf(lob);
    // Quotas: 300 resources of an API, 500 resources of a CloudFormation template.
    expect(resources(stack, 'AWS::ApiGateway::Resource').length).toBeLessThan(200);
    expect(Object.keys(stack.Resources).length).toBeLessThan(450);
  });

  it.each(lineOfBusinessCodes)('%s guards just the routes that are not public', (lob) => {
    const access = new Map<string, string>(
      fhirRoutes.map(({ path, gatewayPath = path, access: needs }) => [gatewayPath, needs]),
    );
    for (const method of methods(stackOf(lob))) {
      const guarded = method.httpMethod !== 'OPTIONS' && access.get(method.path) !== 'public';
      expect({ path: method.path, guarded: method.authorizer !== undefined }).toEqual({
        path: method.path,
        guarded,
      });
      expect(method.apiKeyRequired).toBe(guarded);
    }
  });

  it('asks for the key and the token before it asks the authorizer of a member route', () => {
    const [authorizer] = resources(stackOf('DSNP'), 'AWS::ApiGateway::Authorizer');
    expect(authorizer?.Properties).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.x-api-subscription-key,method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 30,
    });
  });

  it('answers a preflight on every path', () => {
    const all = methods(stackOf('MAPD'));
    const paths = new Set(all.map(({ path }) => path));
    const preflights = all.filter(({ httpMethod }) => httpMethod === 'OPTIONS').map(({ path }) => path);
    expect(preflights.sort()).toEqual([...paths].sort());
  });

  it('leaves a method the path doesn’t have to the function, which answers 405 and names the others', () => {
    const all = methods(stackOf('MAPD'));
    const paths = new Set(all.map(({ path }) => path));
    const others = all.filter(({ httpMethod }) => httpMethod === 'ANY').map(({ path }) => path);
    expect(others.sort()).toEqual([...paths].sort());
  });

  it('names in a preflight the methods the path has, and no other', () => {
    const routesAt = Map.groupBy(fhirRoutes, ({ path, gatewayPath }) => gatewayPath ?? path);
    const preflights = resources(stackOf('MAPD'), 'AWS::ApiGateway::Method')
      .filter(({ Properties: { HttpMethod } }) => HttpMethod === 'OPTIONS')
      .map(({ Properties }) => JSON.stringify(Properties.Integration));
    const named = preflights.map((text) => /Allow-Methods":"'([^']*)'/.exec(text)?.[1]);
    const expected = [...routesAt.values()].map((atPath) => methodsOf(atPath).join(','));
    expect(named.toSorted()).toEqual(expected.toSorted());
    expect(new Set(named)).toEqual(new Set(['GET,HEAD', 'POST', 'GET,HEAD,POST', 'GET,HEAD,POST,DELETE']));
  });

  it('compresses an answer from a kilobyte on, so that a page of claims is a tenth of its size on its way', () => {
    const [api] = resources(stackOf('DSNP'), 'AWS::ApiGateway::RestApi');
    expect(api?.Properties).toMatchObject({ MinimumCompressionSize: 1024 });
  });

  it('has one stage, named after the environment, under the host of the LOB only', () => {
    const stack = stackOf('CHPMD');
    const [api, ...otherApis] = resources(stack, 'AWS::ApiGateway::RestApi');
    expect(otherApis).toEqual([]);
    expect(api?.Properties).toMatchObject({
      ApiKeySourceType: 'AUTHORIZER',
      DisableExecuteApiEndpoint: true,
    });
    const stages = resources(stack, 'AWS::ApiGateway::Stage');
    expect(stages.map((stage) => stage.Properties.StageName)).toEqual([environment]);
    const [domain] = resources(stack, 'AWS::ApiGateway::DomainName');
    expect(domain?.Properties.DomainName).toMatch(/^chpmd\.api\./);
  });
});

describe('MHBE', () => {
  it('has neither a resource nor a function of the Provider Directory', () => {
    const text = JSON.stringify(template(templates, 'sandbox/LobMHBE'));
    expect(text).not.toMatch(/extfhirproviderdir|ProviderDirectory/);
    expect(JSON.stringify(template(templates, 'sandbox/LobEGWP'))).toMatch(/extfhirproviderdir/);
  });
});
