import { describe, expect, it } from 'vitest';
import { fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { member, operationsOf } from '../docs/documents.ts';
import { methods, synthesizeApp, template } from './synthesized-app.ts';

/** The published OpenAPI document (test/docs/openapi.test.ts) beside the gateways' templates. */

describe('the member-facing document', () => {
  const named = operationsOf(member).map(({ method, path }) => `${method} ${path}`);

  it('has what the gateways are deployed with, and nothing else', () => {
    const templates = synthesizeApp();
    const deployed = ['sandbox/Authorization', 'sandbox/LobDSNP'].flatMap((stack) =>
      methods(template(templates, stack))
        // HEAD is there wherever GET is, and says no more.
        .filter(({ httpMethod }) => !['OPTIONS', 'HEAD'].includes(httpMethod))
        // A public path's ANY answers 405, but for the member's pages. A guarded path has ANY alone: its function knows the methods.
        .filter(
          ({ httpMethod, path, authorizer }) =>
            httpMethod !== 'ANY' || authorizer !== undefined || path.startsWith('/fhir-oauth2/sec/'),
        )
        .flatMap(({ httpMethod, path, authorizer }) =>
          // A guarded path, and a path that stands for many.
          (httpMethod === 'ANY' && authorizer !== undefined) ||
          (httpMethod === 'GET' && path.endsWith('/{proxy+}'))
            ? fhirRoutes
                .filter((route) => (route.gatewayPath ?? route.path) === path)
                .map((route) => `${route.method} ${route.path}`)
            : [`${httpMethod} ${path}`],
        ),
    );
    // The member's browser has all below /sec/; of it, one path is for applications.
    const pages = ['connected-apps', '{proxy+}'].map((page) => `ANY /fhir-oauth2/sec/{lob}/${page}`);
    const authorize = ['GET', 'POST'].map((method) => `${method} /fhir-oauth2/sec/{lob}/authorize`);
    expect(deployed).toEqual(expect.arrayContaining(pages));
    expect([...named].sort()).toEqual(
      [...new Set(deployed.filter((each) => !pages.includes(each))), ...authorize].sort(),
    );
  });
});
