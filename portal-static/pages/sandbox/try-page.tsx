/** Page of the guided first call: requests authorization in the sandbox step by step, or calls without a member. */

import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { type Interface, interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import type { AddressesView, ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Alert } from '../../components/alert.tsx';
import { Later } from '../../components/later-part.tsx';
import { ApplicationFrame } from '../applications/application-frame.tsx';
import { Loaded, type Remote, useRemote } from '../applications/remote.tsx';
import { type AskedCall, readAskedCall } from './asked-call.ts';
import { MemberCall } from './member-call.tsx';
import type { BrowserSigningKey } from './signing-key-model.ts';

/** The guided first call of an application. */
export default function TryPage() {
  const { url } = useLocation();
  const asked = readAskedCall(url.slice(url.indexOf('?') + 1));
  const addresses = useRemote(() => call('GET /api/sandbox/addresses'), 'addresses');
  return (
    <ApplicationFrame
      title="First call"
      lead="Go through your application’s steps in the sandbox with real pages, requests and responses."
    >
      {(view, remote) => (
        <Loaded remote={addresses} words="Loading the sandbox…">
          {(where) => (
            <>
              {asked !== undefined && <Asked asked={asked} view={view} />}
              <FirstCall {...{ view, remote, asked }} addresses={where} />
            </>
          )}
        </Loaded>
      )}
    </ApplicationFrame>
  );
}

/** Says which call the workbench begins with, or that the application can't make it. */
function Asked({ asked, view }: { readonly asked: AskedCall; readonly view: ApplicationView }) {
  const { products, grantType } = view.sandbox.configuration;
  const { caller } = interfaceFamilies[asked.product];
  const isOfGrant = caller === 'key' || (caller === 'backend') === (grantType === 'client_credentials');
  const line = (
    <code>
      {asked.method} {asked.path}
    </code>
  );
  if (products.includes(asked.product) && isOfGrant) {
    return (
      <Alert kind="info">
        <p>The workbench below the first call begins with {line}.</p>
      </Alert>
    );
  }
  const needed = caller === 'backend' ? 'a back-end service' : 'an application that members sign in to';
  return (
    <Alert kind="warning" title="Your application cannot make this call">
      <p>
        {line} is a call of {interfaceFamilies[asked.product].name}
        {isOfGrant ? ', which is not among the application’s products.' : `, which needs ${needed}.`} Register
        such an application, or try a call of this one below.
      </p>
    </Alert>
  );
}

interface FirstCallProps {
  readonly view: ApplicationView;
  readonly remote: Remote<ApplicationView>;
  readonly addresses: AddressesView;
  readonly asked: AskedCall | undefined;
}

function FirstCall({ view, remote, addresses, asked }: FirstCallProps) {
  const { grantType, products } = view.sandbox.configuration;
  const origins = addresses.environments.sandbox;
  const machineCalls = () => import('./machine-call.tsx');
  if (grantType === 'client_credentials') {
    return (
      <Keyed view={view} remote={remote}>
        {(key) => (
          <Later load={machineCalls} words="Loading the calls…">
            {({ MachineCall }) => <MachineCall {...{ view, origins, asked }} signingKey={key} />}
          </Later>
        )}
      </Keyed>
    );
  }
  if (view.sandbox.clientId === '') return <NotReady />;
  const hasMembers = products.includes('patient-access');
  if (products.includes('provider-directory') && (!hasMembers || asked?.product === 'provider-directory')) {
    return (
      <Later load={machineCalls} words="Loading the calls…">
        {({ DirectoryCall }) => <DirectoryCall {...{ view, origins, asked }} />}
      </Later>
    );
  }
  if (!hasMembers) return <NothingToCall products={products} />;
  return (
    <Keyed view={view} remote={remote}>
      {() => <WithMembers {...{ view, addresses, asked }} />}
    </Keyed>
  );
}

function WithMembers(props: Omit<FirstCallProps, 'remote'>) {
  const members = useRemote(() => call('GET /api/sandbox/members'), 'members');
  return (
    <Loaded remote={members} words="Loading test members…">
      {(value) => <MemberCall {...props} members={value.members} />}
    </Loaded>
  );
}

/** Sets up the signing key of an application that has no secret. Its code is loaded for such an application only. */
function Keyed(props: {
  readonly view: ApplicationView;
  readonly remote: Remote<ApplicationView>;
  readonly children: (key: BrowserSigningKey | undefined) => ComponentChildren;
}) {
  const { view, remote, children } = props;
  if (view.sandbox.configuration.tokenEndpointAuthMethod !== 'private_key_jwt')
    return <>{children(undefined)}</>;
  return (
    <Later load={() => import('./signing-key.tsx')} words="Loading the signing key…">
      {({ WithSigningKey }) => (
        <WithSigningKey view={view} remote={remote}>
          {children}
        </WithSigningKey>
      )}
    </Later>
  );
}

function NothingToCall(props: { readonly products: readonly Interface[] }) {
  const names = props.products.map((product) => interfaceFamilies[product].name).join(' and ');
  return (
    <Alert kind="info" title="Your application has no calls to make">
      <p>
        Only back-end services can call {names}. Register one to call it, or add another product to this
        application. The <a href="/reference">API reference</a> shows each call.
      </p>
    </Alert>
  );
}

/** The sandbox did not answer when the application was registered; it is asked again by itself. */
function NotReady() {
  return (
    <Alert kind="info" title="The sandbox is creating the credentials">
      <p>Try again in a minute.</p>
    </Alert>
  );
}
