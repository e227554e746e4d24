import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { portal } from '../../../lib/config/portal.ts';
import { parsePortalConfiguration } from '../../../lib/config/portal-configuration.ts';
import { readConfigurations } from '../../../lib/config/read-configurations.ts';
import { PortalStage } from '../../../lib/portal/stage.ts';
import { repositoryRoot } from '../../architecture/imports.ts';
import { madeOnce } from '../made-once.ts';
import { type Template, withBundles } from '../synthesized-app.ts';

export interface PortalTemplates {
  readonly data: Template;
  readonly site: Template;
}

/**
 * Synthesizes the portal's stage with a configuration, once for each run and configuration.
 *
 * @param without bundles that are missing.
 */
export function synthesizePortal(
  overrides: Partial<typeof portal> = {},
  without: readonly string[] = [],
): PortalTemplates {
  return madeOnce(`portal ${JSON.stringify([overrides, without])}`, () => synthesize(overrides, without));
}

function synthesize(overrides: Partial<typeof portal>, without: readonly string[]): PortalTemplates {
  return withBundles(without, ({ bundles, site, outdir }) => {
    const { context } = JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8'));
    const app = new App({ outdir, context, builtinCloudFormationValidation: false });
    const environments = readConfigurations({});
    const configuration = parsePortalConfiguration('test', { ...portal, ...overrides }, environments);
    new PortalStage(app, { configuration, environments, bundles, site });
    const { stacks } = app.synth().getNestedAssembly('assembly-portal');
    const of = (name: string) =>
      stacks.find(({ hierarchicalId }) => hierarchicalId === `portal/${name}`)?.template as Template;
    return { data: of('Data'), site: of('Site') };
  });
}
