/** A call of the API reference, made by the demonstration for a visitor without an account. */

import '../../app/kernel.ts';
import { call } from '../../api/portal-client.ts';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { type AskedCall, filled } from '../sandbox/asked-call.ts';
import { pathFault } from '../sandbox/path-fault.ts';
import { Demonstration } from './demonstration.tsx';
import { canDemonstrate, namedCall } from './demonstration-calls.ts';

/** Runs the call, or says what it needs. */
export function DemonstratedCall({ asked }: { readonly asked: AskedCall }) {
  const addresses = useRemote(() => call('GET /api/sandbox/addresses'), 'addresses');
  if (!canDemonstrate(asked)) {
    return (
      <p>
        This call needs an application of another payer: a back-end service with a signing key, whose
        organization an operator has verified. <a href="/docs/payer-access">Payer Access profile</a> says how
        to get one.
      </p>
    );
  }
  if (pathFault(filled(asked.path, { patient: '1' })) !== undefined) {
    return <p>This call needs an ID that an earlier call of your application returned.</p>;
  }
  return (
    <section aria-labelledby="demonstrated-call">
      <h2 id="demonstrated-call">The call in the sandbox</h2>
      <p>
        You are not signed in. The demonstration makes the call for a fictional member of DSNP, with a key
        that all visitors share.
      </p>
      <Loaded remote={addresses} words="Loading the sandbox…">
        {({ environments: { sandbox } }) => (
          <Demonstration
            origins={sandbox}
            product={asked.product}
            request={(token) => namedCall(sandbox, asked, token)}
            turn={1}
          />
        )}
      </Loaded>
    </section>
  );
}
