import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { InvitationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { dropInvitation, takeInvitation } from '../../app/kept-invitation.ts';
import { Page } from '../../app/page.tsx';
import { signInPath } from '../../app/return-path.ts';
import { stepPages, useSession } from '../../app/session.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Time } from '../../components/display.tsx';
import { Progress } from '../../components/progress.tsx';

/** Page that an invitation's link opens. A visitor without an account joins the team by signing up. */
export default function Invitation() {
  const { state, account } = useSession();
  const [token] = useState(takeInvitation);
  const [shown, setShown] = useState<InvitationView>();
  useEffect(() => {
    if (token === undefined) return;
    void call('POST /api/team/invitations/show', { body: { invitation: token } }).then((outcome) => {
      if (outcome.ok) setShown(outcome.value);
    });
  }, [token]);
  if (state.kind === 'unknown') return <Progress words="Loading the invitation…" />;
  if (token === undefined) {
    return (
      <Page
        title="The invitation link is incomplete"
        lead="Open the full link in the message again. If it does not work, ask your team for a new invitation."
      />
    );
  }
  if (account === undefined) return <Stranger shown={shown} />;
  return account.nextStep === 'none' ? (
    <Accept token={token} email={account.email} shown={shown} />
  ) : (
    <Page title="Finish signing up first" lead="Then you can join the team.">
      <p>
        <a class="usa-button" href={stepPages[account.nextStep]}>
          Continue signing up
        </a>
      </p>
    </Page>
  );
}

/** Shows inviter, invited person and team; nothing before the invitation is loaded. */
function Invited({ shown }: { readonly shown: InvitationView | undefined }) {
  if (shown === undefined) return null;
  const { invitedBy, email, team, expiresAt } = shown;
  return (
    <p>
      {invitedBy} invites {email} to the team “{team}”. The invitation is valid until <Time at={expiresAt} />.
      You join as a member. Members work on the team’s applications. Owners invite and remove people.
    </p>
  );
}

function Stranger({ shown }: { readonly shown: InvitationView | undefined }) {
  return (
    <Page
      title="You are invited to a team"
      lead="Members of a team share its applications. Use the e-mail address that received the invitation."
    >
      <Invited shown={shown} />
      <div class="form__actions">
        <a class="usa-button" href="/sign-up">
          Sign up and join
        </a>
        <a href={signInPath('/invitation')}>Sign in and join</a>
      </div>
    </Page>
  );
}

function Accept(props: {
  readonly token: string;
  readonly email: string;
  readonly shown: InvitationView | undefined;
}) {
  const { refresh } = useSession();
  const { route } = useLocation();
  const [problem, setProblem] = useState<Problem>();
  const busy = useRef(false);
  const accept = async () => {
    if (busy.current) return;
    busy.current = true;
    const outcome = await call('POST /api/team/invitations/accept', { body: { invitation: props.token } });
    busy.current = false;
    if (!outcome.ok) return setProblem(outcome.problem);
    dropInvitation();
    await refresh();
    route('/team', true);
  };
  return (
    <Page
      title="Join the team that invited you"
      lead={`You are signed in as ${props.email}. When you join, you can work on the team’s applications.`}
    >
      {problem !== undefined && <ProblemAlert problem={problem} focus />}
      <Invited shown={props.shown} />
      <div class="form__actions">
        <button type="button" class="usa-button" onClick={() => void accept()}>
          Join the team
        </button>
        <a href="/applications">Not now</a>
      </div>
    </Page>
  );
}
