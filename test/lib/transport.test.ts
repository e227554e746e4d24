import { expect, it } from 'vitest';
import { resources, synthesizeApp } from './synthesized-app.ts';

/** All calls use HTTPS (docs/service.md S5.1). The portal's distribution is tested in portal-stage.test.ts. */

const templates = [...synthesizeApp()].filter(([stack]) => !stack.startsWith('portal/'));
const all = (type: string) =>
  templates.flatMap(([stack, template]) =>
    resources(template, type).map((resource) => ({ stack, ...resource })),
  );

it('speaks TLS 1.2 at least at every host of both environments', () => {
  const hosts = all('AWS::ApiGateway::DomainName');
  // Six lines of business, the authorization server and the token host, in two environments.
  expect(hosts).toHaveLength(16);
  for (const { Properties } of hosts) expect(Properties).toMatchObject({ SecurityPolicy: 'TLS_1_2' });
});

it('is reached at its own hosts only', () => {
  const apis = all('AWS::ApiGateway::RestApi');
  expect(apis).toHaveLength(16);
  for (const { Properties } of apis) expect(Properties).toMatchObject({ DisableExecuteApiEndpoint: true });
});
