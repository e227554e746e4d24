/** Page of the guided first call: requests authorization in the sandbox step by step. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Interface, interfaces } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { type LineOfBusiness, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { AddressesView, ApplicationView, TestMemberView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { useSession } from '../../app/session.tsx';
import { Alert } from '../../components/alert.tsx';
import { ApplicationFrame } from '../applications/application-frame.tsx';
import { areSecretsOpen } from '../applications/credentials-model.ts';
import { ActButton } from '../applications/parts.tsx';
import { PasswordAgain } from '../applications/password-again.tsx';
import { Loaded, type Remote, useRemote } from '../applications/remote.tsx';
import { DirectoryCall, MachineCall } from './machine-call.tsx';
import { RadioCards } from './radio-cards.tsx';
import { MemberFacts } from './sandbox-page.tsx';
import { WithSigningKey } from './signing-key.tsx';
import {
  type Attempt,
  attemptKey,
  authorizationUrl,
  base64Url,
  challengeOf,
  type Lesson,
  lessonNames,
  lessons,
  memberFor,
} from './try-model.ts';

/** The guided first call of an application. */
export default function TryPage() {
  const addresses = useRemote(() => call('GET /api/sandbox/addresses'), 'addresses');
  const members = useRemote(() => call('GET /api/sandbox/members'), 'members');
  return (
    <ApplicationFrame
      title="First call"
      lead="Go through your application’s steps in the sandbox with real pages, requests and responses."
    >
      {(view, remote) => (
        <Loaded remote={addresses} words="Loading the sandbox…">
          {(where) =>
            view.sandbox.configuration.grantType === 'client_credentials' ? (
              <MachineCall view={view} remote={remote} origins={where.environments.sandbox} />
            ) : (
              <Loaded remote={members} words="Loading test members…">
                {(value) => (
                  <MemberCall view={view} remote={remote} addresses={where} members={value.members} />
                )}
              </Loaded>
            )
          }
        </Loaded>
      )}
    </ApplicationFrame>
  );
}

interface ChooseProps {
  readonly view: ApplicationView;
  readonly addresses: AddressesView;
  readonly members: readonly TestMemberView[];
}

/** The first call of an application a member signs in to. */
function MemberCall(props: ChooseProps & { readonly remote: Remote<ApplicationView> }) {
  const { view, remote } = props;
  const { products, tokenEndpointAuthMethod } = view.sandbox.configuration;
  if (view.sandbox.clientId === '') return <NotReady />;
  if (!products.includes('patient-access'))
    return products.includes('provider-directory') ? (
      <DirectoryCall view={view} origins={props.addresses.environments.sandbox} />
    ) : (
      <NothingToCall products={products} />
    );
  if (tokenEndpointAuthMethod !== 'private_key_jwt') return <Choose {...props} />;
  return (
    <WithSigningKey view={view} remote={remote}>
      {() => <Choose {...props} />}
    </WithSigningKey>
  );
}

function Choose({ view, addresses, members }: ChooseProps) {
  const { linesOfBusiness: lobs } = view.sandbox.configuration;
  const { account } = useSession();
  const [lob, setLob] = useState<LineOfBusiness>(lobs[0] ?? 'DSNP');
  const [lesson, setLesson] = useState<Lesson>('plain');
  const [memberId, setMemberId] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  const ofLob = members.filter((member) => member.lob === lob);
  const open = areSecretsOpen(account, Date.now());
  const member = ofLob.find((one) => one.memberId === memberId) ?? memberFor(lesson, ofLob);
  const place = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef(open);
  const go = async () => {
    if (member === undefined) return;
    setLeaving(true);
    location.assign(await begin(view, addresses, { lob, lesson, member }));
  };
  useEffect(() => {
    if (open && !wasOpen.current) {
      // The form of the password had the focus, and is gone. Its press was the one to go on.
      place.current?.focus();
      void go();
    }
    wasOpen.current = open;
  }, [open]);
  return (
    <>
      <RadioCards
        name="lob"
        legend="1. Choose a line of business"
        value={lob}
        choices={lobs.map((one) => ({ value: one, label: one, about: linesOfBusiness[one].name }))}
        onChoose={setLob}
      />
      <RadioCards
        name="lesson"
        legend="2. Choose an example"
        value={lesson}
        choices={lessonNames.map((one) => ({
          value: one,
          label: lessons[one].name,
          about: lessons[one].about,
        }))}
        onChoose={(chosen) => {
          setLesson(chosen);
          setMemberId(undefined);
        }}
      />
      {ofLob.length > 0 && (
        <RadioCards
          name="member"
          legend="3. Choose a test member"
          value={member?.memberId ?? ''}
          choices={ofLob.map((one) => ({ value: one.memberId, label: one.name, about: one.about }))}
          onChoose={setMemberId}
        />
      )}
      {member === undefined && (
        <p class="empty">There are no test members for {lob}. Choose another line of business.</p>
      )}
      {member !== undefined && (
        <section class="panel" aria-labelledby="go">
          <h2 id="go" ref={place} tabIndex={-1}>
            4. Sign in as {member.name}
          </h2>
          <p>
            You go to the sandbox’s sign-in page, which has the member ID filled in. Sign in with this
            password and choose “Share my data”. You then return to this page.
          </p>
          <MemberFacts member={member} />
          {open ? (
            <ActButton pending={leaving} onAct={() => void go()}>
              Continue to sign-in page
            </ActButton>
          ) : (
            <>
              <p>
                Enter your portal password first. This page makes the calls with your application’s
                credentials, and the code is valid for only 60 seconds.
              </p>
              <PasswordAgain action="Continue to sign-in page" onOpened={() => {}} />
            </>
          )}
        </section>
      )}
    </>
  );
}

const random = (bytes: number) => base64Url(crypto.getRandomValues(new Uint8Array(bytes)));

/** Keeps what the way back needs in this tab. @returns where to go. */
async function begin(
  view: ApplicationView,
  addresses: AddressesView,
  chosen: { readonly lob: LineOfBusiness; readonly lesson: Lesson; readonly member: TestMemberView },
): Promise<string> {
  const attempt: Attempt = {
    applicationId: view.applicationId,
    lob: chosen.lob,
    patientId: chosen.member.patientId,
    lesson: chosen.lesson,
    state: random(16),
    // RFC 7636 section 4.1: 43 characters of 32 random bytes.
    verifier: random(32),
    redirectUri: addresses.tryItRedirectUri,
  };
  sessionStorage.setItem(attemptKey, JSON.stringify(attempt));
  const challenge = await challengeOf(attempt.verifier);
  return authorizationUrl(addresses.environments.sandbox, attempt, {
    clientId: view.sandbox.clientId,
    challenge,
    loginHint: chosen.member.memberId,
  });
}

function NothingToCall(props: { readonly products: readonly Interface[] }) {
  const names = props.products.map((product) => interfaces[product].name).join(' and ');
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
