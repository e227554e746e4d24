/** One line for each screen of a configuration: what is set there. */

import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import type { ScreenName } from '../../../lambdas/portal/api/application-screens.ts';
import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import { applicationTypes } from '../../../lambdas/portal/catalog/application-states.ts';
import { fieldsOf } from './fields-model.ts';
import { isAskedFor } from './form-values-model.ts';

const summaries: Readonly<Record<ScreenName, (it: ApplicationConfiguration) => readonly string[]>> = {
  registration: (it) => [
    applicationTypes[it.applicationType].name,
    it.grantType,
    it.products.map((product) => interfaceFamilies[product].name).join(' and '),
    it.linesOfBusiness.join(' '),
  ],
  uris: (it) => {
    const asked = fieldsOf('uris').filter(({ name }) => isAskedFor(name, it));
    const set = asked.filter(({ name }) => it[name] !== undefined);
    const missing = asked.filter((field) => !set.includes(field)).map(({ label }) => label);
    return [
      `${set.length} of ${asked.length} are set`,
      ...(missing.length === 0 ? [] : [`without ${missing.join(' and ')}`]),
    ];
  },
  contact: (it) => [it.contactEmail, it.supportPhone],
};

/** Summarizes the values of a screen of the configuration in one line. */
export function screenSummary(screen: ScreenName, configuration: ApplicationConfiguration): string {
  return summaries[screen](configuration).join(', ');
}
