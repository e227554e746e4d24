/** Frame of the console's lists: tabs, and filters whose choice is in the address. */

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { Alert } from '../../components/alert.tsx';
import { Tabs } from '../../components/display.tsx';

const tabs = [
  { href: '/operations', text: 'Queue' },
  { href: '/operations/applications', text: 'Applications' },
  { href: '/operations/accounts', text: 'Accounts' },
  { href: '/operations/jobs', text: 'Jobs' },
  { href: '/operations/fixes', text: 'Directories' },
  { href: '/operations/acts', text: 'Your acts' },
];

/** The layout that the console's lists share. */
export function Console(props: {
  readonly title: string;
  readonly path: string;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { account } = useSession();
  return (
    <Page title={props.title} lead={props.lead} width="wide">
      {account?.role === 'operator' && account.authenticatorSince === undefined && (
        <Alert kind="info" title="Set up an authenticator app">
          <p>
            We send you a code when you sign in. A code from an app on your device is safer.{' '}
            <a href="/account/authenticator">Set up an authenticator app</a>.
          </p>
        </Alert>
      )}
      <Tabs label="Operations" tabs={tabs} path={props.path} />
      {props.children}
    </Page>
  );
}

/** A filter of a list; the choice is in the address, so that it can be kept and sent. */
export function FilterSelect<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
}) {
  const id = useId();
  return (
    <div>
      <label class="usa-label" for={id}>
        {props.label}
      </label>
      <select
        class="usa-select"
        id={id}
        value={props.value}
        onChange={(event) => props.onChoose(event.currentTarget.value as Value)}
      >
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
