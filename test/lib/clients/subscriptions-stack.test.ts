import { beforeAll, describe, expect, it } from 'vitest';
import { portal } from '../../../lib/config/portal.ts';
import { resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

let templates: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
});

const subscriptions = (environment: string) => template(templates, `${environment}/Subscriptions`);

describe('the provisioning function', () => {
  it.each(['sandbox', 'production'])('has in %s the name another account knows it by', (environment) => {
    const names = resources(subscriptions(environment), 'AWS::Lambda::Function').map(
      ({ Properties: { FunctionName } }) => FunctionName,
    );
    expect(names).toEqual([`member-data-${environment}-provisioning`]);
  });

  it('admits the account of the portal, and nobody else', () => {
    const permissions = resources(subscriptions('production'), 'AWS::Lambda::Permission');
    expect(permissions).toHaveLength(1);
    expect(permissions[0]?.Properties.Action).toBe('lambda:InvokeFunction');
    expect(permissions[0]?.Properties.Principal).toBe(portal.account);
  });

  it('has with the functions for jobs, directories, exchanges and loads the only physical names of the app', () => {
    const named = [...templates].flatMap(([stack, each]) =>
      resources(each, 'AWS::Lambda::Function')
        .filter(({ Properties: { FunctionName } }) => FunctionName !== undefined)
        .map(() => stack),
    );
    expect(named.sort()).toEqual(
      ['production', 'sandbox'].flatMap((environment) => [
        `${environment}/Directory`,
        `${environment}/Exchange`,
        `${environment}/Jobs`,
        `${environment}/Loads`,
        `${environment}/Subscriptions`,
      ]),
    );
  });
});
