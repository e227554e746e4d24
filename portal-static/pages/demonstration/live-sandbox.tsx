/** The live sandbox on public pages, as the build renders it. `start-demonstration.ts` makes its buttons work. */

import type { EnvironmentOrigins } from '../../../lambdas/catalog/addresses.ts';
import { CodeBlock } from '../sandbox/code-block.tsx';
import { sampleOf } from '../sandbox/sample-model.ts';
import { demonstrationTokenCall, exampleCall, exampleNames, examples } from './demonstration-calls.ts';

/**
 * Section of a public page with example calls. Its buttons are hidden until their script runs; the commands below them work without it, in
 * a terminal.
 */
export function LiveSandbox(props: {
  readonly origins: EnvironmentOrigins;
  /** For somebody who has an account, and is not asked to sign up. */
  readonly signedIn?: boolean;
  /** Whether the section is in the guide "Get started", to which it would otherwise link. */
  readonly isInGuide?: boolean;
}) {
  const { origins, signedIn = false, isInGuide = false } = props;
  const token = { accessToken: 'YOUR_ACCESS_TOKEN', patient: 'YOUR_PATIENT' };
  return (
    <section
      id="live-sandbox"
      class="live"
      aria-labelledby="live-sandbox-title"
      data-auth={origins.auth}
      data-token={origins.token}
      data-api={origins.apiTemplate}
    >
      <h2 id="live-sandbox-title">Try it now, without an account</h2>
      <p>
        These calls go to the sandbox’s API and come back with a fictional member’s data. They can only read,
        and each address can make a limited number of calls.
      </p>
      <div class="live__choices" hidden>
        {exampleNames.map((name) => (
          <button key={name} type="button" class="usa-button usa-button--outline" data-example={name}>
            {examples[name].name}
          </button>
        ))}
      </div>
      <div class="live__place">
        <div class="exchange__sides">
          <figure class="live__figure">
            <figcaption>
              1. Get a token. The response has <code>access_token</code> and <code>patient</code>.
            </figcaption>
            <CodeBlock text={sampleOf('curl', demonstrationTokenCall(origins))} label="request of a token" />
          </figure>
          <figure class="live__figure">
            <figcaption>2. Read the member with them.</figcaption>
            <CodeBlock
              text={sampleOf('curl', exampleCall(origins, 'patient', token))}
              label="request of a Patient"
            />
          </figure>
        </div>
      </div>
      <p class="live__problem" role="alert" />
      <p class="live__next">
        <a class="usa-button" href={signedIn ? '/applications' : '/sign-up'}>
          Get your own key
        </a>
        {!isInGuide && <a href="/docs/get-started">Read how to get started</a>}
      </p>
    </section>
  );
}
