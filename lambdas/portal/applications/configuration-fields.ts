import { screenNames } from '../api/application-screens.ts';
import { type ConfigurationField, screens } from '../api/applications.ts';

/** Every field of an application's configuration, in the order of the form. */
export const configurationFields = screenNames.flatMap((name) =>
  Object.keys(screens[name].shape),
) as readonly ConfigurationField[];
