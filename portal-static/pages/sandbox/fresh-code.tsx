/** Asks for a fresh code from the workbench: the sign-in of a test member, with one press. */

import '../../app/kernel.ts';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { AddressesView, ApplicationView, TestMemberView } from '../../../lambdas/portal/api/views.ts';
import { useSession } from '../../app/session.tsx';
import { areSecretsOpen } from '../applications/credentials-model.ts';
import { ActButton } from '../applications/parts.tsx';
import { PasswordAgain } from '../applications/password-again.tsx';
import { beginAuthorization } from './begin-authorization.ts';
import { readKeptCall } from './kept-history.ts';
import { MemberFacts } from './member-facts.tsx';

const action = 'Get a fresh code';

/** Signs in again as the same member or another. The calls stay, and the form keeps its call. */
export function FreshCode(props: {
  readonly view: ApplicationView;
  readonly addresses: AddressesView;
  readonly members: readonly TestMemberView[];
  readonly lob: LineOfBusiness;
  /** Whether the page has a token; without one, a fresh code is the next step. */
  readonly hasToken: boolean;
}) {
  const { view, addresses, lob, hasToken } = props;
  const { applicationId, sandbox } = view;
  const members = props.members.filter((one) => sandbox.configuration.linesOfBusiness.includes(one.lob));
  const first = members.find((one) => one.lob === lob) ?? members[0];
  const id = useId();
  const { account } = useSession();
  const [memberId, setMemberId] = useState(first?.memberId);
  const [leaving, setLeaving] = useState(false);
  const member = members.find((one) => one.memberId === memberId) ?? first;
  const open = areSecretsOpen(account, Date.now());
  const [asking, setAsking] = useState(false);
  const wasOpen = useRef(open);
  const go = async () => {
    if (member === undefined) return;
    // The password first, because the code would expire while it is entered.
    if (!areSecretsOpen(account, Date.now())) return setAsking(true);
    setLeaving(true);
    const application = { applicationId, clientId: sandbox.clientId };
    const chosen = { lob: member.lob, lesson: 'plain', member, asked: readKeptCall() } as const;
    location.assign(await beginAuthorization(application, addresses, chosen));
  };
  useEffect(() => {
    if (asking && open && !wasOpen.current) void go();
    wasOpen.current = open;
  }, [open]);
  if (member === undefined) return null;
  return (
    <section class="panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{action}</h2>
      <p>
        {hasToken
          ? 'A code works once. Sign in again, as the same member or another, for a new one.'
          : 'The token was in the page that you left. Sign in again to continue.'}{' '}
        The calls above stay, and the form keeps its call.
      </p>
      <label class="usa-label" for={`${id}-member`}>
        Sign in as
      </label>
      <select
        class="usa-select"
        id={`${id}-member`}
        value={member.memberId}
        onChange={(event) => setMemberId(event.currentTarget.value)}
      >
        {members.map((one) => (
          <option key={one.memberId} value={one.memberId}>
            {one.lob}: {one.name}, {one.about}
          </option>
        ))}
      </select>
      <MemberFacts member={member} />
      {asking && !open ? (
        <PasswordAgain action={action} onOpened={() => {}} />
      ) : (
        <ActButton quiet={hasToken} pending={leaving} onAct={() => void go()}>
          {action}
        </ActButton>
      )}
    </section>
  );
}
