/** The choices of a first call that a member signs in to. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { type LineOfBusiness, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { AddressesView, ApplicationView, TestMemberView } from '../../../lambdas/portal/api/views.ts';
import { useSession } from '../../app/session.tsx';
import { areSecretsOpen } from '../applications/credentials-model.ts';
import { ActButton } from '../applications/parts.tsx';
import { PasswordAgain } from '../applications/password-again.tsx';
import type { AskedCall } from './asked-call.ts';
import { beginAuthorization } from './begin-authorization.ts';
import { MemberFacts } from './member-facts.tsx';
import { RadioCards } from './radio-cards.tsx';
import { type Lesson, lessonNames, lessons, memberFor } from './try-model.ts';

/** Line of business whose members the examples of the reference find. */
const exampleLob: LineOfBusiness = 'DSNP';

/** Chooses line of business, example and member, then leaves for the sign-in page. */
export function MemberCall(props: {
  readonly view: ApplicationView;
  readonly addresses: AddressesView;
  readonly members: readonly TestMemberView[];
  /** The call that the workbench begins with. */
  readonly asked: AskedCall | undefined;
}) {
  const { view, addresses, members, asked } = props;
  const { linesOfBusiness: lobs } = view.sandbox.configuration;
  const { account } = useSession();
  const [lob, setLob] = useState<LineOfBusiness>(
    asked !== undefined && lobs.includes(exampleLob) ? exampleLob : (lobs[0] ?? exampleLob),
  );
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
    const { applicationId, sandbox } = view;
    const application = { applicationId, clientId: sandbox.clientId };
    location.assign(await beginAuthorization(application, addresses, { lob, lesson, member, asked }));
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
