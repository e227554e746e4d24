/** The values of one screen of a configuration. The operators' review loads it after it is shown. */

import '../../app/kernel.ts';
import type { ScreenName } from '../../../lambdas/portal/api/application-screens.ts';
import type { ConfigurationField } from '../../../lambdas/portal/api/applications.ts';
import { useSession } from '../../app/session.tsx';
import { Facts } from '../../components/display.tsx';
import { exampleWords } from './examples-model.ts';
import { fieldsOf } from './fields-model.ts';
import { sometimesAsked } from './form-values-model.ts';
import { ValueLines } from './value-lines.tsx';

/** A screen's values as they will be kept. */
export function ConfigurationFacts(props: {
  readonly screen: ScreenName;
  readonly configuration: Readonly<Record<string, unknown>>;
}) {
  return (
    <Facts
      facts={fieldsOf(props.screen)
        .filter(({ name }) => !sometimesAsked.includes(name) || props.configuration[name] !== undefined)
        .map(({ name, label }) => [
          label,
          <Value key={name} field={name} value={props.configuration[name]} />,
        ])}
    />
  );
}

/** A value, and whether it is an example that was filled in. */
function Value(props: { readonly field: ConfigurationField; readonly value: unknown }) {
  const { account } = useSession();
  const words = exampleWords(props.field, props.value, account);
  return (
    <>
      <ValueLines {...props} />
      {words !== undefined && <span class="quiet example">{words}</span>}
    </>
  );
}
