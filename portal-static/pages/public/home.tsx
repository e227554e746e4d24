/** The portal's home page. */

import type { EnvironmentOrigins } from '../../../lambdas/catalog/addresses.ts';
import { dataGroups } from '../../../lambdas/catalog/fhir/data-groups.ts';
import { isPatientAccessType, patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { fhirRoutes } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import { type Interface, interfaces, offers } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { LiveSandbox } from '../demonstration/live-sandbox.tsx';

/** @param props.signedIn for somebody who has an account, and is not asked to sign up. */
export function Home(props: { readonly sandbox: EnvironmentOrigins; readonly signedIn?: boolean }) {
  const { sandbox, signedIn = false } = props;
  return (
    <>
      <section class="hero">
        <div class="hero__inner">
          <div>
            <p class="hero__over">
              FHIR R4 · SMART App Launch · {lineOfBusinessCodes.length} lines of business
            </p>
            <h1>Build with the health plan data members choose to share</h1>
            <p class="hero__lead">
              Members decide which applications can read their health plan data. Register your application,
              test it with fictional members, and promote it to production when it is ready.
            </p>
            <p class="hero__actions">
              {signedIn ? (
                <a class="usa-button usa-button--big" href="/sign-in">
                  Go to your workspace
                </a>
              ) : (
                <a class="usa-button usa-button--big" href="/sign-up">
                  Sign up to use the sandbox
                </a>
              )}
              <a class="hero__second" href="/docs">
                {signedIn ? 'Read the documentation' : 'Read the documentation'}
              </a>
            </p>
          </div>
          <Sample />
        </div>
      </section>
      <div class="band band--tinted">
        <LiveSandbox origins={sandbox} signedIn={signedIn} />
      </div>
      <Ways />
      <Road />
      {!signedIn && <Roles />}
    </>
  );
}

/** The description's Patient read, shortened. */
function Sample() {
  return (
    <figure class="hero__sample">
      <figcaption>A request after the member consents</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <pre tabIndex={0}>
        <b>GET</b> /extfhirpatientaccess/v1/Patient/$ID{'\n'}
        Authorization: Bearer $ACCESS_TOKEN{'\n'}
        x-api-subscription-key: $KEY{'\n\n'}
        <b>200</b> OK{'\n'}
        {sampleAnswer}
      </pre>
    </figure>
  );
}

const sampleAnswer = `{
  "resourceType": "Patient",
  "name": [{ "family": "Rivera",
             "given": ["Dana"] }],
  "birthDate": "1961-04-00",
  …
}`;

/** "Your details" is what the consent page calls it. */
const sharedData = dataGroups
  .filter(({ resourceTypes }) => resourceTypes.some(isPatientAccessType))
  .map(({ words }) => words.en.name.replace(/^Your /, ''));

const listed = (names: readonly string[]) =>
  new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names);

/** Said of an interface while its routes are those anybody may call, and no others. */
function notYet(name: Interface): string {
  const isOffered = fhirRoutes.some((route) => route.interface === name && route.access !== 'public');
  return isOffered ? '' : ' Only metadata is available today.';
}

function linesOf(name: Interface): string {
  const without = lineOfBusinessCodes.filter((lob) => !offers(lob, name));
  if (without.length === 0) return 'All lines of business';
  return `All lines of business except ${listed(without.map((lob) => linesOfBusiness[lob].name))}`;
}

function Ways() {
  return (
    <section class="band" aria-labelledby="ways">
      <h2 id="ways">Three interfaces</h2>
      <ul class="cards">
        <li class="card">
          <h3>{interfaces['patient-access'].name}</h3>
          <p>
            A member signs in, reviews what your application asks for, and consents. You can read{' '}
            {listed(sharedData)}: {listed(patientAccessTypes)}.
          </p>
          <p class="card__foot">Authorization code · {linesOf('patient-access')}</p>
        </li>
        <li class="card">
          <h3>{interfaces['payer-access'].name}</h3>
          <p>Data exchange with other payers, system to system.{notYet('payer-access')}</p>
          <p class="card__foot">Client credentials · {linesOf('payer-access')}</p>
        </li>
        <li class="card">
          <h3>{interfaces['provider-directory'].name}</h3>
          <p>
            Doctors, hospitals, pharmacies and networks. No sign-in is needed.{notYet('provider-directory')}
          </p>
          <p class="card__foot">Subscription key · {linesOf('provider-directory')}</p>
        </li>
      </ul>
    </section>
  );
}

function Road() {
  return (
    <section class="band band--tinted" aria-labelledby="road">
      <h2 id="road">Four steps to production</h2>
      <ol class="road">
        <li>
          <h3>Sign up</h3>
          <p>Confirm your e-mail address and phone. An operator verifies payers and brokers.</p>
        </li>
        <li>
          <h3>Test</h3>
          <p>Register an application, sign in as a test member, and make your first call.</p>
        </li>
        <li>
          <h3>Promote</h3>
          <p>Copy the configuration to production and fill in the production addresses.</p>
        </li>
        <li>
          <h3>Get approved</h3>
          <p>Run checks before you submit. An operator decides by published criteria.</p>
        </li>
      </ol>
    </section>
  );
}

function Roles() {
  return (
    <section class="band" aria-labelledby="roles">
      <h2 id="roles">Choose your developer type</h2>
      <ul class="cards">
        <li class="card">
          <h3>
            <a href="/sign-up/individual">Individual developer</a>
          </h3>
          <p>You build applications for members, on your own or for a company.</p>
        </li>
        <li class="card">
          <h3>
            <a href="/sign-up/payer">Payer entity</a>
          </h3>
          <p>You work for a health plan that exchanges data with this one.</p>
        </li>
        <li class="card">
          <h3>
            <a href="/sign-up/brokerage">Brokerage entity</a>
          </h3>
          <p>You work for a broker or an agency that serves members.</p>
        </li>
      </ul>
      <p class="band__foot">
        Already have an account? <a href="/sign-in">Sign in</a>.
      </p>
    </section>
  );
}
