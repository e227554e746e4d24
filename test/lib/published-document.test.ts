import { describe, expect, it } from 'vitest';
import { fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { member, operationsOf } from '../docs/documents.ts';
import { methods, synthesizeApp, template } from './synthesized-app.ts';

/** Compares the published OpenAPI document (test/docs/openapi.test.ts) to the methods in the gateways' templates. */

describe('the member-facing document', () => {
  const named = operationsOf(member).map(({ method, path }) => `${method} ${path}`);

  it('has what the gateways are deployed with, and nothing else', () => {
    const templates = synthesizeApp();
    const deployed = ['sandbox/Authorization', 'sandbox/LobDSNP'].flatMap((stack) =>
      methods(template(templates, stack))
        // Every GET has a HEAD, which the document does not list.
        .filter(({ httpMethod }) => !['OPTIONS', 'HEAD'].includes(httpMethod))
        // ANY of a public path answers 405, except for the members' pages. A guarded path has only ANY, and its function checks the method.
        .filter(
          ({ httpMethod, path, authorizer }) =>
            httpMethod !== 'ANY' || authorizer !== undefined || path.startsWith('/fhir-oauth2/sec/'),
        )
        .flatMap(({ httpMethod, path, authorizer }) =>
          // A guarded path and a proxy path stand for all routes below them.
          (httpMethod === 'ANY' && authorizer !== undefined) ||
          (httpMethod === 'GET' && path.endsWith('/{proxy+}'))
            ? fhirRoutes
                .filter((route) => (route.gatewayPath ?? route.path) === path)
                .map((route) => `${route.method} ${route.path}`)
            : [`${httpMethod} ${path}`],
        ),
    );
    // Paths below /sec/ are for members' browsers; only `authorize` is for applications.
    const pages = ['connected-apps', '{proxy+}'].map((page) => `ANY /fhir-oauth2/sec/{lob}/${page}`);
    const authorize = ['GET', 'POST'].map((method) => `${method} /fhir-oauth2/sec/{lob}/authorize`);
    expect(deployed).toEqual(expect.arrayContaining(pages));
    expect([...named].sort()).toEqual(
      [...new Set(deployed.filter((each) => !pages.includes(each))), ...authorize].sort(),
    );
  });
});
